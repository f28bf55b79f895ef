import { randomUUID } from 'node:crypto'
import { jsonLinesStore } from '../../json-lines/json-lines-store.ts'
import { sqliteStore } from '../sqlite-store.ts'
import { forkSession } from '../../../session/operations/fork.ts'
import { openSession, type Session } from '../../../session/session.ts'
import type { EntryDraft } from '../../../log/entry.ts'
import type { SummaryRequest } from '../../../compaction/summary/with-model/summarizer.ts'
import type { AppendCondition, Store, Search, Selection } from '../../../session/store.ts'

/** Where a store is, and of which kind it is. */
export interface Place {
  kind: 'SQLite' | 'JSON lines'
  path: string
}

export function storeAt({ kind, path }: Place): Store & Disposable {
  // Eight processes on two cores wait for each other for seconds.
  if (kind === 'SQLite') return sqliteStore({ file: path, busyTimeout })
  return { ...jsonLinesStore({ directory: path, busyTimeout }), [Symbol.dispose]() {} }
}

const busyTimeout = 60_000

/** A command to one of several processes that share a store. */
export type Command =
  /** On the store itself: appends entries in one transaction, with or without a condition. */
  | { does: 'append'; session: string; texts: readonly string[]; condition: Expected }
  | { does: 'read'; session: string; selection: Selection }
  | { does: 'search'; session: string; search: Search }
  | { does: 'list' }
  | { does: 'fork'; session: string }
  /** On an open session, which doesn't know about the others until it meets them. */
  | { does: 'say'; session: string; text: string }
  | { does: 'step'; session: string; name: string; lines: number }
  | { does: 'sync' | 'fit' | 'recover' | 'compact' | 'undo' | 'unpin'; session: string }
  | { does: 'pin'; session: string; text: string }
  | { does: 'rewind' | 'redact entry'; session: string; share: number }
  | { does: 'redact text'; session: string; text: string }

/** What an append expects of the session: the state just read, or one long past. */
type Expected = 'nothing' | 'newest' | 'an older one' | 'to hold the first'

/** Executes commands on a store, with sessions that stay open between commands. */
export function worker(store: Store): (command: Command) => Promise<unknown> {
  const sessions = new Map<string, Session>()

  async function opened(id: string): Promise<Session> {
    const known = sessions.get(id)
    if (known) return known
    const window = { context: 6_000 }
    const session = await openSession({
      store,
      id,
      window,
      summarizer: { name: 'slow', summarize },
    })
    sessions.set(id, session)
    return session
  }

  return async (command) => {
    switch (command.does) {
      case 'append':
        return append(store, command)
      case 'read':
        return store.read(command.session, command.selection)
      case 'search':
        return store.search(command.session, command.search)
      case 'list':
        return store.sessions()
      case 'fork':
        return forkSession(store, command.session, randomUUID())
      default:
        return doWithSession(await opened(command.session), command)
    }
  }
}

async function doWithSession(
  session: Session,
  command: Exclude<Command, { does: 'append' | 'read' | 'search' | 'list' | 'fork' }>,
): Promise<unknown> {
  switch (command.does) {
    case 'say':
      return session.say(command.text)
    case 'step':
      return session.append(...step(command.name, command.lines))
    case 'sync':
      return session.sync()
    case 'fit':
      return session.fit()
    case 'recover':
      return session.recover()
    case 'compact':
      return session.compact()
    case 'undo':
      return session.undo()
    case 'pin':
      return session.pin(command.text)
    case 'unpin':
      return session.unpin([...session.context().pins.keys()][0] ?? 0)
    case 'rewind':
      return session.rewind(Math.floor(command.share * session.context().seq))
    case 'redact text':
      return session.redact({ text: command.text })
    case 'redact entry':
      return session.redact({ ref: `${Math.ceil(command.share * session.context().seq)}` })
  }
}

async function append(
  store: Store,
  { session, texts, condition }: Extract<Command, { does: 'append' }>,
): Promise<unknown> {
  return store.append(session, texts.map(human), await conditionOf(store, session, condition))
}

async function conditionOf(
  store: Store,
  session: string,
  expected: Expected,
): Promise<AppendCondition | undefined> {
  const [newest] = await store.read(session, { newest: 1 })
  const [first] = await store.read(session, { upTo: 1 })
  switch (expected) {
    case 'nothing':
      return undefined
    case 'newest':
      return { newest: newest?.seq ?? 0 }
    case 'an older one':
      return newest && { newest: newest.seq - 1 }
    case 'to hold the first':
      return first && { holds: { seq: first.seq, at: first.at } }
  }
}

function human(content: string): EntryDraft {
  return { kind: 'message', at: Date.now(), origin: 'human', message: { role: 'user', content } }
}

function step(name: string, lines: number): EntryDraft[] {
  const call = { toolCallId: name, toolName: 'Read' }
  const output = { type: 'text', value: `${name} says orange\n`.repeat(lines) } as const
  const at = Date.now()
  return [
    {
      kind: 'message',
      at,
      origin: 'model',
      finish: 'tool-calls',
      message: {
        role: 'assistant',
        content: [{ type: 'tool-call', ...call, input: { path: `${name}.ts` } }],
      },
    },
    {
      kind: 'message',
      at,
      origin: 'tool',
      message: { role: 'tool', content: [{ type: 'tool-result', ...call, output }] },
    },
  ]
}

/** Takes a while, so that others come in between. */
async function summarize({ template }: SummaryRequest): Promise<{ text: string; finish: 'stop' }> {
  await new Promise((resolve) => setTimeout(resolve, 20))
  const text = template.sections.map(({ heading }) => `## ${heading}\nas said`).join('\n\n')
  return { text, finish: 'stop' }
}
