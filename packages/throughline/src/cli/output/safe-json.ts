// JSON.stringify escapes only C0 characters; these are just as dangerous in a terminal.
const unsafe = /[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** JSON that represents the value exactly and has no effect on a terminal. */
export function safeJson(value: unknown, indent = 2): string {
  return escapedJson(JSON.stringify(value, null, indent) ?? 'null')
}

/** The same for a text that is already JSON. */
export function escapedJson(json: string): string {
  return json.replace(
    unsafe,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
