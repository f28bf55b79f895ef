/** Stands where words were left out. */
const gap = '…'

/**
 * The beginning and the end of a text within `characters`, cut between words: a path that
 * is cut in two would be a path that never was.
 */
export function clipMiddle(text: string, characters: number): string {
  if (text.length <= characters) return text
  const room = Math.max(characters - gap.length - 2, 0)
  const head = clippedEnd(text.slice(0, Math.ceil((room * 2) / 3) + 1))
  const tail = clippedStart(text.slice(text.length - Math.floor(room / 3) - 1))
  return [head, gap, tail].filter((piece) => piece !== '').join(' ')
}

/** The beginning of a text within `characters`, cut between words. */
export function clipEnd(text: string, characters: number): string {
  if (text.length <= characters) return text
  const room = Math.max(characters - gap.length - 1, 0)
  const head = clippedEnd(text.slice(0, room + 1))
  return head === '' ? gap : `${head} ${gap}`
}

/** Without the last character and the ASCII word that it may have cut in two. */
function clippedEnd(text: string): string {
  let end = text.length
  while (end > 0 && isWordCharacter(text.charCodeAt(end - 1))) end--
  if (end === text.length) end--
  if (isHighSurrogate(text.charCodeAt(end - 1))) end--
  return text.slice(0, Math.max(end, 0)).trimEnd()
}

function clippedStart(text: string): string {
  let start = 0
  while (start < text.length && isWordCharacter(text.charCodeAt(start))) start++
  if (start === 0) start++
  if (isLowSurrogate(text.charCodeAt(start))) start++
  return text.slice(start).trimStart()
}

/** What can be inside a path or an identifier: any printable ASCII but the space. */
export function isWordCharacter(code: number): boolean {
  return code > 32 && code < 127
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}
