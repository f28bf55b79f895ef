/** Whether a text has letters beyond those of English; typographic marks and arrows don't count. */
export function hasForeignLetters(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= 0xc0 && (code < 0x2000 || code >= 0x3040) && code < 0xd800) return true
  }
  return false
}
