/** A text without the blank lines at its ends; its first line keeps its indentation. */
export function withoutBlankEnds(text: string): string {
  let start = 0
  for (;;) {
    const end = text.indexOf('\n', start)
    if (end < 0 || text.slice(start, end).trim() !== '') break
    start = end + 1
  }
  return text.slice(start).trimEnd()
}
