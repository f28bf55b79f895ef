import type { LongFigures } from './measure.ts'

/** The same life of one client, alone and with Throughline inside. */
export interface Pair {
  alone: LongFigures
  inside: LongFigures
}

export interface Column {
  head: string
  of: (figures: LongFigures) => number
  /** `more` where a larger figure is better, `fewer` where a smaller one is; `told` is not compared. */
  better: 'more' | 'fewer' | 'told'
  /** What is too little to fail for. */
  slack?: number
  shown: (figure: number) => string
}

export const whole = (figure: number): string => `${Math.round(figure)}`
export const share = (figure: number): string => `${Math.round(figure * 100)}%`

export const columns: readonly Column[] = [
  { head: 'compactions', of: ({ compactions }) => compactions, better: 'fewer', shown: whole },
  {
    head: 'requests for a summary',
    of: ({ summaries }) => summaries,
    better: 'fewer',
    shown: whole,
  },
  { head: 'refusals', of: ({ refused }) => refused, better: 'fewer', shown: whole },
  { head: 'cache lost', of: ({ cacheBreaks }) => cacheBreaks, better: 'fewer', shown: whole },
  {
    head: 'grown by resuming',
    of: ({ grownByResuming }) => grownByResuming,
    better: 'fewer',
    shown: whole,
  },
  {
    head: 'lack a rule, the task or the newest words',
    of: ({ lacks, requests }) => lacks / requests,
    better: 'fewer',
    shown: share,
  },
  {
    head: 'have a replaced rule in force',
    of: ({ replacedInForce, requests }) => replacedInForce / requests,
    better: 'fewer',
    shown: share,
  },
  {
    head: 'give the words of a file to the human',
    of: ({ notTheHumans, requests }) => notTheHumans / requests,
    better: 'fewer',
    shown: share,
  },
  { head: 'facts', of: ({ facts }) => facts, better: 'more', shown: share },
  { head: 'written files', of: ({ files }) => files, better: 'more', shown: share },
  { head: 'recall failed', of: ({ unanswered }) => unanswered, better: 'fewer', shown: whole },
  { head: 'wait, ms', of: ({ wait }) => wait, better: 'told', shown: whole },
]

export interface Verdict {
  cells: string[]
  isWorse: boolean
  /** The few figures that say most, and whatever is worse. */
  inShort: string
}

const said: ReadonlySet<string> = new Set([
  'compactions',
  'lack a rule, the task or the newest words',
  'facts',
])

/** Each figure alone and with Throughline, and whether one is worse with it by more than its slack. */
export function cellsOf({ alone, inside }: Pair, compared = columns): Verdict {
  let isWorse = false
  const cells = compared.map(({ of, better, shown, slack = 0 }) => {
    const [before, now] = [shown(of(alone)), shown(of(inside))]
    const change = better === 'more' ? of(alone) - of(inside) : of(inside) - of(alone)
    const worse = before !== now && better !== 'told' && change > 0
    if (worse && change > slack) isWorse = true
    return `${before} → ${now}${worse ? ' (worse)' : ''}`
  })
  const named = compared.map(({ head }, at) => ({ head, cell: cells[at] ?? '' }))
  const inShort = named
    .filter(({ head, cell }) => said.has(head) || cell.includes('worse'))
    .map(({ head, cell }) => `${head}: ${cell}`)
  return { cells, isWorse, inShort: inShort.join('; ') }
}
