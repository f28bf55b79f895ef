// JSON.stringify escapes C0 alone; these are as dangerous in a terminal.
const unsafe = /[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** JSON that says exactly what the value holds and that no terminal obeys. */
export function safeJson(value: unknown, indent = 2): string {
  return escapedJson(JSON.stringify(value, null, indent) ?? 'null')
}

/** The same of JSON that is written already. */
export function escapedJson(json: string): string {
  return json.replace(
    unsafe,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
