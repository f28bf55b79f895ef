import { fieldsOf, nameOf, type Fields } from '../../json/fields.ts'

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
export interface Calling {
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
export function callingClient(
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
