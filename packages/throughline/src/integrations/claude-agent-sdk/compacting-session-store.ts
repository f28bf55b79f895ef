import { claudeCode } from '../../formats/claude-code/format.ts'
import { claudeCodeWriter } from '../../formats/claude-code/writer.ts'
import { compactLog, type CompactLogOptions } from '../../session/once/compact-log.ts'
import { EmptySessionError, UnknownSessionError } from '../../formats/reading/errors.ts'
import { nameOf } from '../../json/fields.ts'
import { readSession } from '../../formats/reading/read-session.ts'
import { writtenSession } from '../../formats/writing/written-session.ts'

/** A line of a transcript: `SessionStoreEntry`. */
export interface AgentSessionEntry {
  type: string
  uuid?: string
  [field: string]: unknown
}

/** A transcript of the Claude Agent SDK: `SessionKey`. */
export interface AgentSessionKey {
  projectKey: string
  sessionId: string
  subpath?: string
}

/** A store of the Claude Agent SDK, as far as it matters here: `SessionStore`. */
export interface AgentSessionStore {
  append: (key: AgentSessionKey, entries: never[]) => Promise<void>
  load: (key: AgentSessionKey) => Promise<AgentSessionEntry[] | null>
}

export interface CompactingStoreOptions extends Omit<CompactLogOptions, 'trigger' | 'now'> {
  /** Milliseconds since 1970. */
  now?: () => number
}

/**
 * A store for the Claude Agent SDK whose sessions always fit when they are resumed: if a transcript
 * wouldn't fit the window, a compaction of Claude Code's own kind is written behind it, without a
 * request to a model unless you pass a `summarizer`. The store keeps every line; a session that had
 * died because it was too long goes on. While a session runs, Claude Code compacts by itself, and
 * Throughline's plugin helps it there.
 * @throws ContextFloorError in `load` if even the smallest possible context doesn't fit the window.
 * @example
 * const sessionStore = compactingSessionStore(new InMemorySessionStore(), { window: { context: 200_000 } })
 * for await (const message of query({ prompt, options: { sessionStore, resume: id } })) show(message)
 */
export function compactingSessionStore<Store extends AgentSessionStore>(
  store: Store,
  { now = Date.now, ...options }: CompactingStoreOptions,
): Store {
  return Object.create(store, {
    append: { value: store.append.bind(store) },
    load: {
      async value(key: AgentSessionKey): Promise<AgentSessionEntry[] | null> {
        const entries = await store.load(key)
        // What a subagent said has been read by its parent.
        if (!entries || entries.length === 0 || key.subpath !== undefined) return entries
        const added = await compactionOf(key, entries, { ...options, now: now() })
        if (added.length === 0) return entries
        await store.append(key, added as never[])
        return [...entries, ...added]
      },
    },
  }) as Store
}

/** The lines that make a transcript fit; none if it does. */
async function compactionOf(
  { sessionId }: AgentSessionKey,
  entries: readonly AgentSessionEntry[],
  options: CompactLogOptions & { now: number },
): Promise<AgentSessionEntry[]> {
  const text = entries.map((entry) => JSON.stringify(entry)).join('\n')
  const { log, facts } = await readTranscript(text)
  const compacted = await compactLog(log, options)
  if (compacted.report.action === 'none') return []
  const directory = nameOf(entries.findLast(({ cwd }) => nameOf(cwd))?.['cwd']) ?? '/'
  const written = claudeCodeWriter.write(writtenSession(compacted.log, facts), {
    session: sessionId,
    newId: () => crypto.randomUUID(),
    now: options.now,
    directory,
  })
  const lines = written.text.split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line) as AgentSessionEntry)
}

/** A transcript in which nobody has said anything yet is empty. */
async function readTranscript(text: string) {
  try {
    return await readSession(text, { formats: [claudeCode] })
  } catch (error) {
    const isEmpty = EmptySessionError.isInstance(error) || UnknownSessionError.isInstance(error)
    if (!isEmpty) throw error
    return { log: [] as never, facts: {} as never }
  }
}
