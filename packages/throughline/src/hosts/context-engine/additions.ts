import type { Entry, EntryDraft, Metadata, MessageDraft, Seq } from '../../log/entry.ts'

/** A message of a host, by a key that stays the same for as long as the host has it. */
export interface EngineMessage extends Omit<MessageDraft, 'kind'> {
  key: string
}

const field = 'engineKey'

/** The key that an entry was taken in by. */
function engineKeyOf(entry: object): string | undefined {
  const metadata = 'metadata' in entry ? (entry.metadata as Metadata | undefined) : undefined
  const key = metadata?.[field]
  return typeof key === 'string' ? key : undefined
}

/**
 * What to append so that the log holds these messages. They may be only the newest of the host's:
 * what they leave out at their beginning or end stays. Where they go on in another way than the log
 * does, the host has gone back, and the log rewinds to there.
 */
export function additionsFor(
  inForce: readonly Entry[],
  messages: readonly EngineMessage[],
): EntryDraft[] {
  const seqOf = new Map<string, Seq>()
  for (const entry of inForce) {
    const key = engineKeyOf(entry)
    if (key !== undefined) seqOf.set(key, entry.seq)
  }
  const first = messages.findIndex(({ key }) => !seqOf.has(key))
  if (first === -1) return []
  const anchor = seqOf.get(messages[first - 1]?.key ?? '')
  const back = anchor === undefined ? [] : goBack(inForce, messages, anchor)
  const stands = back.length > 0 ? (anchor ?? Infinity) : Infinity
  const added = new Map<string, EngineMessage>()
  for (const message of messages) {
    const seq = seqOf.get(message.key)
    if ((seq === undefined || seq > stands) && !added.has(message.key)) {
      added.set(message.key, message)
    }
  }
  return [...back, ...[...added.values()].map(draftOf)]
}

function draftOf({ key, ...message }: EngineMessage): MessageDraft {
  return { ...message, kind: 'message', metadata: { ...message.metadata, [field]: key } }
}

/** Pins of what the host has taken back stay: nobody took them back. */
function goBack(
  inForce: readonly Entry[],
  messages: readonly EngineMessage[],
  anchor: Seq,
): EntryDraft[] {
  const has = new Set(messages.map(({ key }) => key))
  const behind = inForce.filter(({ seq }) => seq > anchor)
  const lost = behind.find((entry) => {
    const key = engineKeyOf(entry)
    return key !== undefined && !has.has(key)
  })
  if (!lost) return []
  const { at } = lost
  const unpinned = new Set(behind.flatMap((entry) => (entry.kind === 'unpin' ? [entry.pin] : [])))
  const pins = behind.flatMap((entry): EntryDraft[] =>
    entry.kind === 'pin' && !unpinned.has(entry.seq) ? [{ kind: 'pin', at, text: entry.text }] : [],
  )
  return [{ kind: 'rewind', at, to: anchor }, ...pins]
}
