/** A text as it appears inside JSON, because clients put some texts into envelopes. */
export function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}
