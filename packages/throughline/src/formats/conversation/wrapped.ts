/** A stretch of a text: the content of one of the named elements, or the text around them. */
export interface Stretch {
  wrapped: boolean
  text: string
}

/**
 * Separates the elements of these names that a client put before or after a text. Elements inside
 * the text stay: whoever quotes one wrote it. The stretches joined are the original text.
 */
export function takeOffWrapped(text: string, names: readonly string[]): Stretch[] {
  if (!text.includes('<')) return [{ wrapped: false, text }]
  let start = 0
  let end = text.length
  const front: string[] = []
  const back: string[] = []
  for (let next = elementAtStart(text, start, names); next > start;) {
    front.push(text.slice(start, next))
    start = next
    next = elementAtStart(text, start, names)
  }
  for (let next = elementAtEnd(text, start, end, names); next < end;) {
    back.push(text.slice(next, end))
    end = next
    next = elementAtEnd(text, start, end, names)
  }
  const middle = text.slice(start, end)
  const stretches: Stretch[] = front.map((part) => ({ wrapped: true, text: part }))
  if (middle.trim() !== '') stretches.push({ wrapped: false, text: middle })
  else if (middle !== '' || stretches.length + back.length === 0) back.push(middle)
  for (const part of back.toReversed()) stretches.push({ wrapped: true, text: part })
  return stretches
}

/** The end of the element that starts at `from`, after white space; `from` if there is none. */
function elementAtStart(text: string, from: number, names: readonly string[]): number {
  const start = skipSpace(text, from)
  for (const name of names) {
    if (!text.startsWith(`<${name}`, start)) continue
    const sign = text[start + name.length + 1]
    if (sign !== '>' && sign !== ' ') continue
    const closing = `</${name}>`
    const close = text.indexOf(closing, start)
    return close < 0 ? from : close + closing.length
  }
  return from
}

/** The start of the line of the element that ends the text before `to`, ignoring white space. */
function elementAtEnd(text: string, from: number, to: number, names: readonly string[]): number {
  const end = skipSpaceBack(text, from, to)
  for (const name of names) {
    const closing = `</${name}>`
    if (!text.endsWith(closing, end) || end - closing.length < from) continue
    const open = text.lastIndexOf(`<${name}`, end - closing.length)
    if (open < from) return to
    const before = skipSpaceBack(text, from, open)
    const ownLine = open === from || before === from || text.slice(before, open).includes('\n')
    return ownLine ? before : to
  }
  return to
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && isSpace(text.charCodeAt(at))) at++
  return at
}

function skipSpaceBack(text: string, from: number, to: number): number {
  let at = to
  while (at > from && isSpace(text.charCodeAt(at - 1))) at--
  return at
}

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13)
}
