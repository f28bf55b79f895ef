/** A transcript that traveled as it is read in its own log: without its head, and with bare refs. */
export function inItsLog(printed: string): string {
  return printed
    .replace(/^(?:=== note|# Note\n\n```)\nRefs that begin with [^\n]*\n[^\n]*\n(?:```\n)?\n/, '')
    .replace(/\bq[0-9a-z]{5}:(?=\d)/g, '')
}
