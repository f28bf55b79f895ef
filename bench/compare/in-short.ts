import { pooledFacts } from 'throughline/evaluation'
import { percent } from '../fidelity/goals.ts'
import { askedIn, ourId, peersIn } from './asked.ts'
import type { Asked, Figures } from './figures.ts'
import type { Table } from './tables.ts'

/** How many rows a reader gets before anything is unfolded. */
const most = 5

/** The middle one of the usual sizes. */
export const usual = 8_000

/** What is measured, and why it matters, before any figure. */
export const why = [
  'An agent’s session outgrows its model’s window, and something has to go. What is gone, the agent reads again, asks again, or gets wrong. So the question is: after one compaction, how much does it still know of what it needs next?',
  'Each engine here compacts the same recorded sessions, and what really came next in them shows what was needed. Facts are the measure that counts: what was found, changed and why, decided, left to do, and demanded by the human, written down by readers of the whole session. Names are the paths and identifiers that the next 40 tool calls use; a bare list of names can buy them.',
]

/** Throughline and the peers that keep the most, in five rows at one budget. */
export function inShort(figures: Figures): Table {
  const ours = askedIn(figures).filter(({ id }) => id === ourId)
  const peers = peersIn(figures)
    .filter(({ atCuts }) => atCuts.length > 0)
    .sort((a, b) => worth(b) - worth(a))
  const shown = [...ours, ...peers].slice(0, most)
  const left = ours.length + peers.length - shown.length
  return {
    title: 'In five rows',
    note: `After one compaction to ${usual.toLocaleString('en-US')} tokens.${left > 0 ? ` Of ${peers.length} peers, those that keep the most facts; all of them are below.` : ''} Some have no budget and keep more: the last column says how much.`,
    head: ['engine', 'facts', 'names', 'tokens kept'],
    rows: shown.map((one) => {
      const stated = statedBy(one)
      const at = atUsual(one)
      const kept = stated?.tokens ?? at?.kept.mean
      return [
        one.name,
        stated === undefined ? '-' : percent(stated.all),
        at === undefined || at.forwardNeed.cuts === 0 ? '-' : percent(at.forwardNeed.mean),
        kept === undefined ? '-' : Math.round(kept).toLocaleString('en-US'),
      ]
    }),
  }
}

function worth(one: Asked): number {
  return statedBy(one)?.all ?? atUsual(one)?.forwardNeed.mean ?? 0
}

function statedBy({ facts }: Asked): ReturnType<typeof pooledFacts> {
  const rows = facts.find(([first]) => first?.keep === usual)
  return rows && pooledFacts(rows)
}

function atUsual({ atCuts }: Asked): Asked['atCuts'][number] | undefined {
  return atCuts.find(({ keep }) => keep === usual) ?? atCuts[0]
}
