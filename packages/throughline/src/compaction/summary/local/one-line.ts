/** The text on one line, without the spaces that only laid it out. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
