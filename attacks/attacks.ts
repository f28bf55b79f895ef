/** What an attack tried, and which promises broke, how often. */
export interface AttackRun {
  name: string
  seed: number
  size: string
  date: string
  counts: Readonly<Record<string, number>>
  broken: Readonly<Record<string, number>>
}

/** How much an attack tried, of all kinds together. */
function tried({ counts }: AttackRun): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}

// A run of another seed, or on a busy machine, tries a little less than the one before.
const leastShare = 0.8

/** Why a run may not take the place of the one on the page; `undefined` if it may. */
export function whyNotRecorded(run: AttackRun, onPage: AttackRun | undefined): string | undefined {
  if (!onPage) return undefined
  const [now, before] = [tried(run), tried(onPage)]
  if (now >= before * leastShare) return undefined
  return `${run.name} tried ${now} things, and the page says ${before}: the page stays as it is.`
}

/** Each attack is a program of its own in this folder. */
export const attacks = [
  { name: 'killed', does: 'One to eight writers on one store are killed at any instant' },
  { name: 'order', does: 'Eight processes append, pin, undo, redact and fork at once' },
  {
    name: 'redact',
    does: 'A secret in 335 forms and 52 places is redacted, and looked for in all bytes',
  },
  {
    name: 'damaged',
    does: 'Bits, bytes, lines and blocks of stores, exports and session files are changed',
  },
  {
    name: 'generations',
    does: 'Sessions are compacted, written, read and compacted again, with forged text in all places',
  },
  {
    name: 'platforms',
    does: 'Paths and texts of other systems, full and read-only disks, odd clocks',
  },
  { name: 'cli', does: 'Odd input, Ctrl-C and closed pipes, for every command' },
] as const
