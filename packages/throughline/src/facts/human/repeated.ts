/** Fewer messages in a row are listed one by one. */
const FEWEST = 3
/** A longer message says more than to go on. */
const LONGEST = 60

const NUMBER = /\d{1,6}/g

/** What messages have in common that tell to go on with one thing after the other. */
interface Shape {
  words: string
  number: number | undefined
}

function shapeOf(text: string): Shape | undefined {
  if (text.length > LONGEST || text.includes('\n')) return undefined
  const [number, ...more] = text.match(NUMBER) ?? []
  if (more.length > 0 || number?.startsWith('0') === true) return undefined
  return { words: text.replace(NUMBER, '#'), number: number === undefined ? undefined : +number }
}

/**
 * Messages in a row that say the same, or the same with a number that counts up, as one: the text
 * of the first with what tells of the others. Nothing of what was said is lost.
 * @example
 * foldRepeated(['Do 1.', 'Do 2.', 'Do 3.']) // ['Do 1. (and so on to 3)']
 */
export function foldRepeated<T extends { text: string; name?: string }>(
  messages: readonly T[],
): T[] {
  const folded: T[] = []
  for (let at = 0; at < messages.length;) {
    const first = messages[at] as T
    const end = endOfRun(messages, at)
    const shape = shapeOf(first.text)
    if (end - at < FEWEST || shape === undefined) {
      folded.push(first)
      at += 1
      continue
    }
    const count = end - at
    const again =
      shape.number === undefined
        ? `(${count} times in a row)`
        : `(and so on to ${shape.number + count - 1})`
    folded.push({ ...first, text: `${first.text} ${again}` })
    at = end
  }
  return folded
}

function endOfRun(messages: readonly { text: string; name?: string }[], start: number): number {
  const first = shapeOf(messages[start]?.text ?? '')
  let end = start + 1
  if (first === undefined) return end
  for (; end < messages.length; end++) {
    const next = shapeOf(messages[end]?.text ?? '')
    const expected = first.number === undefined ? undefined : first.number + end - start
    if (next?.words !== first.words || next.number !== expected) break
    if (messages[end]?.name !== messages[start]?.name) break
  }
  return end
}

/** A text of a person may end like that, too: more messages than these are not made of it. */
const MOST_UNFOLDED = 500
const FOLDED = /^(.{1,60}) \((?:and so on to (\d{1,6})|(\d{1,4}) times in a row)\)$/

/** The messages that were folded into a text; the text itself where none were. */
export function unfoldRepeated(text: string): string[] {
  const [, first, last] = FOLDED.exec(text) ?? []
  if (first === undefined) return [text]
  // The same words once more say nothing more.
  if (last === undefined) return [first]
  const number = shapeOf(first)?.number
  if (number === undefined || +last <= number || +last - number > MOST_UNFOLDED) return [text]
  return Array.from({ length: +last - number + 1 }, (_, at) =>
    first.replace(NUMBER, `${number + at}`),
  )
}
