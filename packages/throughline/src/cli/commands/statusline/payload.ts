import { countOf, fieldsOf, nameOf, parsedJson, type Fields } from '../../../json/fields.ts'
import { windowOf } from '../../../tokens/windows.ts'

/** What a status line shows of a session, if it is known. */
export interface SessionState {
  /** Tokens of the next request: what the provider counted last, the answer included. */
  tokens: number | undefined
  window: number | undefined
  /** The size at which the client compacts by itself; none if it never does. */
  compactsAt: number | undefined
  /** US dollars, as the client counted them. */
  dollars: number | undefined
  compacted: Compacted | undefined
}

export interface Compacted {
  /** Milliseconds since 1970. */
  at: number
  /** Tokens before it. */
  from: number | undefined
}

/** What a client passes to a status line: Claude Code's object, which others pass as well. */
export interface Payload {
  /** The file of the session. */
  transcript: string | undefined
  model: string | undefined
  tokens: number | undefined
  window: number | undefined
  dollars: number | undefined
}

/** Reads the object; `undefined` if the text is none. */
export function payloadIn(text: string): Payload | undefined {
  const fields = fieldsOf(parsedJson(text))
  if (!fields) return undefined
  const model = fieldsOf(fields['model'])
  const context = fieldsOf(fields['context_window'])
  const id = nameOf(model?.['id']) ?? nameOf(model?.['display_name'])
  const known = id === undefined ? undefined : windowOf(id)?.context
  return {
    transcript: nameOf(fields['transcript_path']),
    model: id,
    tokens: usedTokens(fieldsOf(context?.['current_usage']), context),
    window: countOf(context?.['context_window_size']) ?? known,
    dollars: countOf(fieldsOf(fields['cost'])?.['total_cost_usd']),
  }
}

/** Anthropic's usage counts cached tokens separately; others only have a percentage. */
export function usedTokens(usage: Fields | undefined, context?: Fields): number | undefined {
  if (usage) {
    const input = countOf(usage['input_tokens']) ?? 0
    const written = countOf(usage['cache_creation_input_tokens']) ?? 0
    const read = countOf(usage['cache_read_input_tokens']) ?? 0
    return input + written + read + (countOf(usage['output_tokens']) ?? 0)
  }
  const share = countOf(context?.['used_percentage'])
  const size = countOf(context?.['context_window_size'])
  return share === undefined || size === undefined ? undefined : Math.round((size * share) / 100)
}

// Claude Code keeps this much for its answer and for the summary.
const answerRoom = 20_000
const summaryRoom = 13_000
const leastWindow = 100_000

/**
 * The size at which Claude Code compacts, after its own settings; for an unknown client, where
 * Throughline would.
 */
export function compactsAt(
  window: number,
  isClaude: boolean,
  env: Readonly<Record<string, string | undefined>>,
): number | undefined {
  if (!isClaude) return window - Math.min(answerRoom, window / 4)
  if (isSet(env['DISABLE_AUTO_COMPACT']) || isSet(env['DISABLE_COMPACT'])) return undefined
  const asked = Number(env['CLAUDE_CODE_AUTO_COMPACT_WINDOW'])
  const own = asked > 0 ? Math.min(window, Math.max(asked, leastWindow)) : window
  const usable = own - answerRoom
  const share = Number(env['CLAUDE_AUTOCOMPACT_PCT_OVERRIDE'])
  const limit = usable - summaryRoom
  return share > 0 && share <= 100 ? Math.min(limit, (usable * share) / 100) : limit
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && !['', '0', 'false', 'no', 'off'].includes(value.toLowerCase())
}
