/** The lines of a text without their ends, one after the other. */
export function* linesOf(text: string): Generator<string> {
  let start = 0
  while (start < text.length) {
    const end = text.indexOf('\n', start)
    const stop = end < 0 ? text.length : end
    const carriage = stop > start && text.charCodeAt(stop - 1) === 13 ? 1 : 0
    yield text.slice(start, stop - carriage)
    start = stop + 1
  }
}
