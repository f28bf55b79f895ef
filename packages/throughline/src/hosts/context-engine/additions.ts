import { messageText } from '../../log/message.ts'
import { rewindDrafts } from '../../match/rewind.ts'
import type {
  CheckpointDraft,
  Entry,
  EntryDraft,
  Metadata,
  MessageDraft,
  Seq,
} from '../../log/entry.ts'

/** A message of a host, by a key that stays the same for as long as the host has it. */
export interface EngineMessage extends Omit<MessageDraft, 'kind'> {
  key: string
  /** The host's own summary of what was before, which it no longer shows. */
  isSummary?: boolean
}

const field = 'engineKey'

/** The key that an entry was taken in by. */
export function engineKeyOf(entry: object): string | undefined {
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
  shown: readonly EngineMessage[],
): EntryDraft[] {
  const seqOf = new Map<string, Seq>()
  for (const entry of inForce) {
    const key = engineKeyOf(entry)
    if (key !== undefined) seqOf.set(key, entry.seq)
  }
  const isCompacted = inForce.some(({ kind }) => kind === 'checkpoint')
  // What the host has summarized of it without us, a log with a summary of its own knows already.
  const messages = shown.filter(
    ({ key, isSummary }, at) => !(isSummary && isCompacted && !seqOf.has(key) && keptAfter(at)),
  )
  const first = messages.findIndex(({ key }) => !seqOf.has(key))
  if (first === -1) return []
  const anchor = seqOf.get(messages[first - 1]?.key ?? '')
  const lost = anchor === undefined ? undefined : lostAfter(inForce, messages, anchor)
  const stands = lost && anchor !== undefined ? anchor : Infinity
  const back = lost ? rewindDrafts(inForce, stands, lost.at) : []
  const added = new Map<string, EngineMessage>()
  for (const message of messages) {
    const seq = seqOf.get(message.key)
    if ((seq === undefined || seq > stands) && !added.has(message.key)) {
      added.set(message.key, message)
    }
  }
  return [...back, ...[...added.values()].map((each) => checkpointOf(each) ?? draftOf(each))]

  /** The entry of what the host shows next, if the log has it. */
  function keptAfter(at: number): Seq | undefined {
    return seqOf.get(shown[at + 1]?.key ?? '')
  }

  /** Where the log has what the host has summarized, the next request begins with the summary. */
  function checkpointOf({ key, at, isSummary, message }: EngineMessage): EntryDraft | undefined {
    const kept = keptAfter(shown.findIndex((each) => each.key === key))
    if (!isSummary || kept === undefined) return undefined
    const tail = inForce.flatMap(({ kind, seq }): CheckpointDraft['tail'] =>
      kind === 'message' && seq >= kept ? [{ type: 'entry', seq }] : [],
    )
    const base = inForce.at(-1)?.seq ?? 0
    const of = { summary: messageText(message), summarizer: 'host', metadata: { [field]: key } }
    return { kind: 'checkpoint', at, base, tail, continuation: null, ...of }
  }
}

function draftOf(shown: EngineMessage): MessageDraft {
  const { key, isSummary: _, ...message } = shown
  return { ...message, kind: 'message', metadata: { ...message.metadata, [field]: key } }
}

/** The first entry after the anchor that the host no longer has. */
function lostAfter(
  inForce: readonly Entry[],
  messages: readonly EngineMessage[],
  anchor: Seq,
): Entry | undefined {
  const has = new Set(messages.map(({ key }) => key))
  return inForce.find((entry) => {
    const key = engineKeyOf(entry)
    return entry.seq > anchor && key !== undefined && !has.has(key)
  })
}
