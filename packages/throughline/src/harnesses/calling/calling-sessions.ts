import { readFile, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { harnesses as allHarnesses } from '../../formats/harnesses.ts'
import { findSessions } from '../find/find-sessions.ts'
import { previewSession } from '../preview/preview-session.ts'
import { isInProject, projectOf } from './project.ts'
import { fieldsOf, nameOf, type Fields, parsedJson } from '../../json/fields.ts'
import { readDatabase } from '../opencode/database-sessions.ts'
import type { Surroundings } from '../../formats/writing/harness.ts'
import type { FoundSession } from '../found-session.ts'

/** What a client says of itself when it calls a tool of a server that it started. */
export interface Caller {
  /** The name by which it introduced itself to the server. */
  client: string | undefined
  /** What came with this call, besides the model's own arguments. */
  meta: Fields
  /** The model's arguments. */
  input: unknown
}

/** Which session of which harness calls, as far as its client says. */
interface Calling {
  /** The name of the harness; none for a client whose sessions we don't know. */
  harness: string | undefined
  session: string | undefined
  /** The id of the call itself, which its session contains. */
  call: string | undefined
  /** The project's directory, where the client says it. */
  directory: string | undefined
}

/** Measured in each client: what it gives to the servers that it starts, and with each call. */
interface Row {
  harness: string
  named: RegExp
  /** Fields of a call's `_meta` with the id of the session. */
  session?: readonly string[]
  /** The field of `_meta` with the id of the call. */
  call?: string
  /** The variable with the id of the session that the client had when it started the server. */
  variable?: string
  /** The variable with the project's directory. */
  directory?: string
}

const rows: readonly Row[] = [
  // 2.1.330. After /clear, the variable still names the session before it.
  {
    harness: 'claude-code',
    named: /^claude-code/i,
    call: 'claudecode/toolUseId',
    variable: 'CLAUDE_CODE_SESSION_ID',
    directory: 'CLAUDE_PROJECT_DIR',
  },
  // 0.169.0: a server may serve several threads, and no variable names one.
  { harness: 'codex', named: /^codex/i, session: ['threadId', 'sessionId'] },
  { harness: 'qwen-code', named: /^qwen/i, variable: 'QWEN_CODE_SESSION_ID' },
  { harness: 'copilot-cli', named: /copilot-cli/i, variable: 'COPILOT_AGENT_SESSION_ID' },
  { harness: 'gemini-cli', named: /^gemini-cli/i },
  // 1.18 says nothing; opencode 2 says it with each call.
  { harness: 'opencode', named: /^opencode/i, session: ['sessionID', 'ai.opencode/sessionID'] },
]

/**
 * Reads who calls. A variable counts only for the client that sets it: a client that was started
 * from inside another one inherits the other's.
 */
function callingClient(
  { client = '', meta }: Pick<Caller, 'client' | 'meta'>,
  variables: Readonly<Record<string, string | undefined>>,
): Calling {
  const row = rows.find(({ named }) => named.test(client))
  const said = row?.session?.map((key) => idOf(meta[key])).find((id) => id !== undefined)
  const inherited = idOf(row?.variable && variables[row.variable])
  return {
    harness: row?.harness,
    session: said ?? inherited,
    call: idOf(row?.call && fieldsOf(meta)?.[row.call]),
    directory: nameOf(row?.directory && variables[row.directory]),
  }
}

/** An id is compared with others, never made a path. */
function idOf(value: unknown): string | undefined {
  const id = nameOf(value)
  return id !== undefined && /^[\w-]{4,200}$/.test(id) ? id : undefined
}

// Clients write a call down before they carry it out; what was said with it stands before it.
const lastBytes = 1024 * 1024

/** Whether a session's newest part names a call by its id. */
async function namesCall(found: FoundSession, call: string): Promise<boolean> {
  if (found.type !== 'file') return false
  const handle = await open(found.file, 'r')
  try {
    const { size } = await handle.stat()
    const length = Math.min(size, lastBytes)
    const { buffer, bytesRead } = await handle.read(
      Buffer.alloc(length),
      0,
      length,
      Math.max(0, size - length),
    )
    return buffer.subarray(0, bytesRead).includes(JSON.stringify(call))
  } finally {
    await handle.close()
  }
}

const newestParts =
  'SELECT data FROM part WHERE session_id = ? ORDER BY time_created DESC, id DESC LIMIT 50'

/**
 * Whether a session of opencode waits for a call with this input. opencode names no session, but
 * writes each call down before it carries it out.
 */
function waitsForInput(found: FoundSession, input: unknown): boolean {
  if (found.type !== 'database') return false
  const rows = readDatabase(found.file, ({ all }) => all(newestParts, found.id))
  return rows.some((row) => {
    const state = fieldsOf(partIn(nameOf(row['data']))['state'])
    const isOpen = state?.['status'] === 'running' || state?.['status'] === 'pending'
    return isOpen && JSON.stringify(state['input']) === JSON.stringify(input)
  })
}

function partIn(json: string | undefined): Fields {
  return fieldsOf(parsedJson(json ?? '')) ?? {}
}

/** Where a server was started, and when: now. */
export interface ServerPlace {
  surroundings: Surroundings
  directory: string
  /** Milliseconds since 1970. */
  now: () => number
  /** Lets so many milliseconds pass. */
  wait: (milliseconds: number) => Promise<void>
}

/** The session whose client calls. */
interface CallingSession {
  session: FoundSession
  /** How many other sessions may have been meant: their client doesn't say which one calls. */
  others: number
}

/** The sessions of harnesses that a server answers for: those of its client, in its project. */
export interface CallingSessions {
  /** Who calls, as far as its client says. */
  client: (caller: Caller) => Calling
  /** The root of the project. */
  project: (caller: Caller) => string
  /** `undefined` if the client has not written one yet. */
  calling: (caller: Caller) => Promise<CallingSession | undefined>
  /** A session of the project by its id; `undefined` if the project has none of that id. */
  named: (id: string, caller: Caller) => Promise<FoundSession | undefined>
}

// Of thousands of sessions, only the newest are looked into.
const mostLookedAt = 100
// Milliseconds: a listing is good for the calls that arrive together.
const listed = 250
// A client may write a call down only after it has sent it.
const patience = 2_000
// The clocks of files are coarse, and a client may write its session just before the server starts.
const early = 5_000

/**
 * Finds the session of the client that started a server: the one that a call names, else the one
 * that the client had when it started the server, else the one that waits for this call, else the
 * newest one that was written since the server started, in the same project. It never finds a
 * session of another project, unless the client itself names it.
 * @example
 * const sessions = callingSessions({ surroundings, directory: process.cwd(), now: Date.now, wait })
 * const found = await sessions.calling({ client: 'codex-mcp-client', meta: { threadId }, input })
 */
export function callingSessions({
  surroundings,
  directory,
  now,
  wait,
}: ServerPlace): CallingSessions {
  const started = now()
  const directories = new Map<string, string | undefined>()
  const lists = new Map<string, { at: number; sessions: Promise<FoundSession[]> }>()
  const { variables } = surroundings

  function rootFor({ directory: said }: Calling): string {
    return projectOf(said ?? directory, surroundings)
  }

  async function list(harness: string | undefined): Promise<FoundSession[]> {
    const key = harness ?? ''
    const known = lists.get(key)
    const at = now()
    if (known && at - known.at < listed) return known.sessions
    const harnesses = allHarnesses.filter(({ name }) => harness === undefined || name === harness)
    const sessions = findSessions(surroundings, { harnesses }).then((found) => found.sessions)
    lists.set(key, { at, sessions })
    return sessions
  }

  /** A session's directory doesn't change. */
  async function directoryOf(found: FoundSession): Promise<string | undefined> {
    const key = `${found.file}\0${found.id}`
    if (!directories.has(key)) {
      const preview = await previewSession(found).catch(() => undefined)
      const recorded = preview?.directory ?? (await directoryBeside(found))
      // Something may not be written yet.
      if (recorded === undefined) return undefined
      directories.set(key, recorded)
    }
    return directories.get(key)
  }

  async function inProject(
    sessions: readonly FoundSession[],
    project: string,
    enough: number,
  ): Promise<FoundSession[]> {
    const found: FoundSession[] = []
    for (const session of sessions.slice(0, mostLookedAt)) {
      if (found.length >= enough) break
      if (isInProject(await directoryOf(session), project, surroundings)) found.push(session)
    }
    return found
  }

  /** The session that the client had when it started the server, or that a call names. */
  async function namedBy({ session: id, harness }: Calling): Promise<FoundSession | undefined> {
    const sessions = await list(harness)
    return id === undefined ? undefined : sessions.find((session) => isNamed(session, id))
  }

  /** The sessions of the project that were written since the server started. */
  async function runningFor(calling: Calling): Promise<FoundSession[]> {
    const sessions = await list(calling.harness)
    const recent = sessions.filter(({ at }) => at >= started - early).slice(0, mostLookedAt)
    return inProject(recent, rootFor(calling), mostLookedAt)
  }

  /** The session that holds a call, as soon as its client has written it down. */
  async function withCall(calling: Calling, call: string): Promise<FoundSession | undefined> {
    const until = now() + patience
    for (;;) {
      const named = await namedBy(calling)
      if (named && (await namesCall(named, call))) return named
      for (const session of await runningFor(calling)) {
        if (session !== named && (await namesCall(session, call))) return session
      }
      if (named || now() >= until) return undefined
      await wait(listed)
    }
  }

  /**
   * The session of a client that says which one. A client that goes on with a session may name
   * another one: then it is the only one of the project that is being written.
   */
  async function ofClient(calling: Calling): Promise<FoundSession | undefined> {
    const { call } = calling
    const holder = call === undefined ? undefined : await withCall(calling, call)
    const named = holder ?? (await namedBy(calling))
    if (named || call === undefined) return named
    const running = await runningFor(calling)
    return running.length === 1 ? running[0] : undefined
  }

  return {
    client: (caller) => callingClient(caller, variables),
    project: (caller) => rootFor(callingClient(caller, variables)),
    async calling(caller) {
      const calling = callingClient(caller, variables)
      const named = await ofClient(calling)
      if (named) return { session: named, others: 0 }
      // It exists, but its client has not written it yet.
      if (calling.session !== undefined) return undefined
      const running = await runningFor(calling)
      const waiting =
        running.length > 1 ? running.filter((each) => waitsForInput(each, caller.input)) : running
      const [session] = waiting.length > 0 ? waiting : running
      if (session) return { session, others: (waiting.length || running.length) - 1 }
      const sessions = await list(calling.harness)
      const [newest] = await inProject(sessions, rootFor(calling), 1)
      return newest && { session: newest, others: 0 }
    },
    async named(id, caller) {
      const calling = callingClient(caller, variables)
      const project = rootFor(calling)
      const named = (await list(undefined)).filter((session) => isNamed(session, id))
      const [found] = await inProject(named, project, 1)
      return found
    },
  }
}

/** Gemini CLI writes a project's directory beside the folder of the project's sessions. */
async function directoryBeside({ harness, file }: FoundSession): Promise<string | undefined> {
  if (harness.name !== 'gemini-cli') return undefined
  const beside = join(dirname(dirname(file)), '.project_root')
  return readFile(beside, 'utf8').then(
    (text) => text.trim(),
    () => undefined,
  )
}

/** Whether an id, with or without its harness before it, is that of a session. */
function isNamed({ id: own, harness }: FoundSession, id: string): boolean {
  const { prefix, name } = harness
  const before = [`${prefix}:`, `${name}:`].find((start) => id.startsWith(start)) ?? ''
  const bare = id.slice(before.length)
  // Some file names hold the beginning of an id alone.
  return own === bare || (own.length >= shortestId && bare.startsWith(own))
}

const shortestId = 8
