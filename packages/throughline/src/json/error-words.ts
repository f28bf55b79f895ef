/** The content of one error: its HTTP statuses and its texts, one per line, without quotations. */
export interface ErrorWords {
  statuses: readonly number[]
  text: string
}

interface Heard {
  statuses: number[]
  texts: string[]
}

/**
 * How much of an error may still be read: an error may contain the whole request again, or itself.
 */
interface Patience {
  values: number
  characters: number
}

const deepest = 10
const longestText = 4_000

const statusFields = ['statusCode', 'status', 'status_code', 'httpStatusCode', 'code']
const textFields = ['message', 'type', 'code', 'error_type', 'detail']
// Not `requestBodyValues`, `param`, `value`, …: these hold what was sent, not what the provider
// says.
const innerFields = [
  '$metadata',
  'error',
  'cause',
  'data',
  'body',
  'responseBody',
  'response',
  'metadata',
  'raw',
  'details',
]

/**
 * The content of an error and of each error inside it. Reading takes linear time, whatever the
 * error contains.
 */
export function errorWords(error: unknown): ErrorWords[] {
  const all: Heard[] = []
  const patience = { values: 300, characters: 20_000 }
  hearAnother(error, [], { all, patience, depth: 0 })
  return all.map(({ statuses, texts }) => ({ statuses, text: texts.join('\n') }))
}

interface Hearing {
  all: Heard[]
  patience: Patience
  depth: number
}

/** One of several errors; the texts of the others don't belong to it. */
function hearAnother(error: unknown, statuses: readonly number[], hearing: Hearing): void {
  const heard = { statuses: [...statuses], texts: [] }
  hearing.all.push(heard)
  hear(error, heard, hearing)
}

function hear(value: unknown, heard: Heard, hearing: Hearing): void {
  const { patience, depth } = hearing
  if (depth > deepest || (patience.values -= 1) < 0) return
  if (typeof value === 'string') return hearText(value, heard, hearing)
  if (typeof value !== 'object' || value === null) return
  const inside = { ...hearing, depth: depth + 1 }
  if (Array.isArray(value)) {
    for (const item of value.slice(0, 20)) hearAnother(item, heard.statuses, inside)
    return
  }
  const fields = value as Readonly<Record<string, unknown>>
  // The AI SDK's `RetryError`: only the last error counts.
  if ('lastError' in fields) return hear(fields['lastError'], heard, inside)
  heard.statuses.push(...statusFields.flatMap((name) => statusOf(fields[name])))
  for (const name of textFields) {
    if (typeof fields[name] === 'string') hearText(fields[name], heard, inside)
  }
  // llama.cpp reports its limit in a separate field.
  if (typeof fields['n_ctx'] === 'number') heard.texts.push(`n_ctx: ${fields['n_ctx']}`)
  for (const name of innerFields) hear(fields[name], heard, inside)
  hear(fields['errors'], heard, inside)
}

function statusOf(value: unknown): number[] {
  const status = typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : value
  return typeof status === 'number' && status >= 100 && status < 600 ? [status] : []
}

function hearText(text: string, heard: Heard, hearing: Hearing): void {
  const { patience } = hearing
  const json = embeddedJson(text)
  for (const value of json?.values ?? [])
    hear(value, heard, { ...hearing, depth: hearing.depth + 1 })
  const said = withoutQuotes((json?.rest ?? text).slice(0, longestText))
  const kept = said.slice(0, Math.max(0, patience.characters))
  patience.characters -= kept.length
  if (kept.trim() !== '') heard.texts.push(kept)
}

/**
 * Text that an error quotes may come from a tool, not from the provider. Names in backticks are
 * kept, and so is the text after `message` in JSON that was cut or printed by another language.
 */
function withoutQuotes(text: string): string {
  return text
    .replace(/(?<!message['"] ?: ?)"[^"]*"/g, '""')
    .replace(/`([^`]*)`/g, (quoted, inner: string) => (/\s/.test(inner) ? '``' : quoted))
}

/** A text that contains JSON: the values, and the text around them. */
interface EmbeddedJson {
  values: unknown[]
  rest: string
}

// Longer JSON is not an error message: it is parsed whole or not at all.
const longest = 1_000_000
const mostLines = 50

/** The JSON objects in a text such as `400 {"error":…}` or a stream of events, if there are any. */
function embeddedJson(text: string): EmbeddedJson | undefined {
  if (text.length > longest) return undefined
  const whole = objectIn(text)
  if (whole) return { values: [whole.value], rest: whole.rest }
  const lines = text.split('\n', mostLines)
  const found = lines.length < 2 ? [] : lines.map((line) => objectIn(line) ?? line)
  const objects = found.filter((line) => typeof line !== 'string')
  if (objects.length === 0) return undefined
  return {
    values: objects.map(({ value }) => value),
    rest: found.map((line) => (typeof line === 'string' ? line : line.rest)).join('\n'),
  }
}

function objectIn(text: string): { value: unknown; rest: string } | undefined {
  const start = text.indexOf('{')
  const end = text.lastIndexOf('}') + 1
  if (start === -1 || end <= start) return undefined
  try {
    const value: unknown = JSON.parse(text.slice(start, end))
    return { value, rest: `${text.slice(0, start)} ${text.slice(end)}` }
  } catch {
    return undefined
  }
}
