/** A text in which JSON stands: the values, and what is written around them. */
export interface EmbeddedJson {
  values: unknown[]
  rest: string
}

// More is no error: it is parsed whole, or not at all.
const longest = 1_000_000
const mostLines = 50

/** The JSON objects in a text such as `400 {"error":…}` or a stream of events, if there are any. */
export function embeddedJson(text: string): EmbeddedJson | undefined {
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
