/** A text as it stands inside JSON: clients put some into envelopes. */
export function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}
