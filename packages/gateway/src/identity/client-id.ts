import { fieldsOf, textOf } from '../body/json.ts'
import { headerText, type Headers } from '../server/headers.ts'

/** How clients name their sessions, the most certain first. */
const sessionHeaders = [
  'x-claude-code-session-id',
  'x-opencode-session-id',
  'x-opencode-session',
  'session-id',
  'session_id',
  'x-session-id',
]

/** A conversation of its own inside of a session. */
const threadHeaders = ['thread-id', 'x-claude-code-agent-id']

// What is longer is no id.
const longest = 512

/**
 * What a client calls its session; `undefined` for one that has no name for it. It may be the same
 * for several conversations, such as those of sub-agents: it keeps sessions apart, and joins none.
 */
export function clientIdOf(headers: Headers, field: (name: string) => unknown): string | undefined {
  const named =
    firstHeader(headers, sessionHeaders) ??
    idIn(field('prompt_cache_key')) ??
    idIn(fieldsOf(field('metadata'))?.['user_id']) ??
    idIn(fieldsOf(field('metadata'))?.['session_id'])
  const thread = firstHeader(headers, threadHeaders)
  if (named === undefined) return thread
  return thread === undefined ? named : `${named} ${thread}`
}

function firstHeader(headers: Headers, names: readonly string[]): string | undefined {
  for (const name of names) {
    const id = idIn(headerText(headers, name))
    if (id !== undefined) return id
  }
  return undefined
}

function idIn(value: unknown): string | undefined {
  const text = textOf(value)
  return text !== undefined && text !== '' && text.length <= longest ? text : undefined
}
