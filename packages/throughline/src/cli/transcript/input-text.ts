/**
 * The input of a tool call for a reader: one `name: value` per line; a text of several lines
 * follows its name.
 */
export function inputText(input: unknown): string {
  if (typeof input === 'string') return input
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return json(input)
  return Object.entries(input)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? indented(value) : json(value)}`)
    .join('\n')
}

function indented(value: string): string {
  return value.includes('\n') ? `\n${value.replace(/^/gm, '  ')}` : value
}

function json(value: unknown): string {
  return JSON.stringify(value) ?? ''
}
