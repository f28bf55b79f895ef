/** What a character can be inside a word, as bits. Any other character ends the word. */
export const LOWER = 1
export const UPPER = 2
export const DIGIT = 4
export const UNDERSCORE = 8
export const DOT = 16
export const SLASH = 32
export const HYPHEN = 64
/** `@` and `~`. */
export const SIGN = 128

export const LETTER = LOWER | UPPER
export const ALPHANUMERIC = LETTER | DIGIT

const classes = new Uint8Array(128)
for (let code = 97; code <= 122; code++) classes[code] = LOWER
for (let code = 65; code <= 90; code++) classes[code] = UPPER
for (let code = 48; code <= 57; code++) classes[code] = DIGIT
classes[95] = UNDERSCORE
classes[46] = DOT
classes[47] = SLASH
classes[45] = HYPHEN
classes[64] = SIGN
classes[126] = SIGN

/** Classes of the first 128 codes; 0 for characters that aren't part of a word. */
export const CLASSES: Readonly<Uint8Array> = classes

/** The class of the character at `at`, 0 outside the text and outside ASCII. */
export function classAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code < 128 ? (classes[code] as number) : 0
}
