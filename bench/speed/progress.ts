/** Says on stderr what is being done: the figures alone are on stdout. */
export function progress(text: string): void {
  process.stderr.write(`… ${text}\n`)
}
