import { matchingSeqs } from './matches.ts'
import type { Entry, EntryDraft, EntryOf, MessageDraft } from '../log/entry.ts'
import type { Message } from '../log/message.ts'
import type { Store } from '../session/store.ts'

/** What a host's message is called, wherever it is stored: the same for as long as it exists. */
export type HostKey = string

/** A message of a host, by its key. */
export type HostMessages = ReadonlyMap<HostKey, Message>

const field = 'hosted'

/** The key of an entry that stands for a host's message, or that a host made. */
export function hostKeyOf(entry: EntryDraft): HostKey | undefined {
  const metadata = 'metadata' in entry ? entry.metadata : undefined
  const key = metadata?.[field]
  return typeof key === 'string' ? key : undefined
}

/** A draft that is known by this key from now on. */
export function withHostKey<Draft extends Extract<EntryDraft, { metadata?: unknown }>>(
  draft: Draft,
  key: HostKey,
): Draft {
  return { ...draft, metadata: { ...draft.metadata, [field]: key } }
}

/**
 * A store over a host that keeps its own messages: they are the truth, and the store below holds
 * their names and order, and everything that was added to them. What the host no longer has reads
 * as one line that says so.
 * @example
 * const messages = new Map([['msg_1', { role: 'user', content: 'Go.' }]])
 * const store = hostedStore(memoryStore(), () => messages)
 */
export function hostedStore(own: Store, messages: () => HostMessages): Store {
  const filled = (entry: Entry): Entry => {
    if (entry.kind !== 'message' || !isEmptied(entry)) return entry
    const key = hostKeyOf(entry)
    if (key === undefined) return entry
    return { ...entry, message: messages().get(key) ?? goneMessage(entry.message) }
  }
  return {
    append: async (session, drafts, condition) =>
      (await own.append(session, drafts.map(emptied), condition)).map(filled),
    read: async (session, selection) => (await own.read(session, selection)).map(filled),
    search: async (session, search) => matchingSeqs((await own.read(session)).map(filled), search),
    sessions: () => own.sessions(),
    // What was overwritten is kept here: the host still has the old words.
    redact: (session, { change, note }) =>
      own.redact(session, { note, change: (entry) => change(filled(entry)) }),
    remove: (session) => own.remove(session),
  }
}

/** A host's message as it is stored: everything but what it says. */
function emptied(draft: EntryDraft): EntryDraft {
  if (draft.kind !== 'message' || hostKeyOf(draft) === undefined) return draft
  return { ...draft, message: { ...draft.message, content: [] } as MessageDraft['message'] }
}

function isEmptied({ message }: EntryOf<'message'>): boolean {
  return message.content.length === 0
}

const gone = '[The client no longer has this message.]'

function goneMessage(message: Message): Message {
  return message.role === 'tool' ? message : { ...message, content: gone }
}
