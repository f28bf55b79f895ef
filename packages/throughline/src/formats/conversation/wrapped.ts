/** A stretch of a text: the content of one of the named elements, or the text around them. */
export interface Stretch {
  wrapped: boolean
  text: string
}

/**
 * Takes off the elements of these names that a client put in front of a text or behind
 * it. Elements inside the text are left: whoever quotes one wrote it. The stretches
 * joined are the text again.
 *
 * What a file says stands in the elements `quoting` as it is, closing tags with it: of each of
 * them the last closing tag ends it, so that nothing in it can pass for what stands around.
 */
export function takeOffWrapped(
  text: string,
  names: readonly string[],
  quoting: readonly string[] = [],
): Stretch[] {
  if (!text.includes('<')) return [{ wrapped: false, text }]
  let start = 0
  let end = text.length
  const front: string[] = []
  const back: string[] = []
  for (let next = elementAtStart(text, start, { names, quoting }); next > start;) {
    front.push(text.slice(start, next))
    start = next
    next = elementAtStart(text, start, { names, quoting })
  }
  for (let next = elementAtEnd(text, start, end, { names, quoting }); next < end;) {
    back.push(text.slice(next, end))
    end = next
    next = elementAtEnd(text, start, end, { names, quoting })
  }
  const middle = text.slice(start, end)
  const stretches: Stretch[] = front.map((part) => ({ wrapped: true, text: part }))
  if (middle.trim() !== '') stretches.push({ wrapped: false, text: middle })
  else if (middle !== '' || stretches.length + back.length === 0) back.push(middle)
  for (const part of back.toReversed()) stretches.push({ wrapped: true, text: part })
  return stretches
}

interface Elements {
  names: readonly string[]
  quoting: readonly string[]
}

/** Where the element that starts at `from`, after white space, ends; `from` if there is none. */
function elementAtStart(text: string, from: number, { names, quoting }: Elements): number {
  const start = skipSpace(text, from)
  for (const name of names) {
    if (!text.startsWith(`<${name}`, start)) continue
    const sign = text[start + name.length + 1]
    if (sign !== '>' && sign !== ' ') continue
    const closing = `</${name}>`
    const close = quoting.includes(name) ? text.lastIndexOf(closing) : text.indexOf(closing, start)
    return close < start ? from : close + closing.length
  }
  return from
}

/** Where the element that ends the text before `to`, white space apart, starts with its line. */
function elementAtEnd(
  text: string,
  from: number,
  to: number,
  { names, quoting }: Elements,
): number {
  const end = skipSpaceBack(text, from, to)
  for (const name of names) {
    const closing = `</${name}>`
    if (!text.endsWith(closing, end) || end - closing.length < from) continue
    const open = quoting.includes(name)
      ? firstOnItsLine(text, `<${name}`, from)
      : text.lastIndexOf(`<${name}`, end - closing.length)
    if (open < from) return to
    const before = skipSpaceBack(text, from, open)
    const ownLine = open === from || before === from || text.slice(before, open).includes('\n')
    return ownLine ? before : to
  }
  return to
}

/** Where a tag first begins a line, white space apart; -1 if it nowhere does. */
function firstOnItsLine(text: string, tag: string, from: number): number {
  for (let at = text.indexOf(tag, from); at >= 0; at = text.indexOf(tag, at + 1)) {
    const before = skipSpaceBack(text, from, at)
    if (before === from || text.slice(before, at).includes('\n')) return at
  }
  return -1
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
