/** Reports progress on stderr; only figures go to stdout. */
export function progress(text: string): void {
  process.stderr.write(`… ${text}\n`)
}
