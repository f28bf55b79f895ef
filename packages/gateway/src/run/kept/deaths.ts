/** How a process ended, and what it wrote before. */
export interface Death {
  code: number | null
  signal: NodeJS.Signals | null
  stderr: string
}

/** Why a gateway ended that nobody has ended: in a few words that fit behind “it”. */
export function reasonOf({ code, signal, stderr }: Death): string {
  if (/heap out of memory|heap limit/i.test(stderr)) return 'ran out of memory'
  if (signal !== null) return `was killed by ${signal}`
  // What a Node says that cannot go on; never a line of its trace.
  const [, said] = /^(?:Uncaught )?((?:[A-Z]\w*)?Error(?: \[\w+\])?: .{1,200})/m.exec(stderr) ?? []
  const plain = said?.replaceAll(/\p{Cc}/gu, '')
  return `ended with exit code ${code ?? 'unknown'}${plain === undefined ? '' : ` (${plain})`}`
}
