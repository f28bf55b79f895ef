import { pooledFacts } from 'throughline/evaluation'
import { percent } from '../fidelity/goals.ts'
import { askedIn, ourId, peersIn } from './asked.ts'
import type { Asked, Figures } from './figures.ts'
import type { Table } from './tables.ts'

/** The middle one of the usual sizes. */
export const usual = 8_000

/** What is measured, and why it matters, before any figure. */
export const why = [
  'An agent’s session outgrows its model’s window, and something has to go. What is gone, the agent reads again, asks again, or gets wrong. So the question is: after one compaction, how much does it still know of what it needs next?',
  'Each engine here compacts the same recorded sessions, and what really came next in them shows what was needed. Facts are the measure that counts: what was found, changed and why, decided, left to do, and demanded by the human, written down by readers of the whole session. Names are the paths and identifiers that the next 40 tool calls use; a bare list of names can buy them.',
]

/** Each peer, and Throughline in as many tokens: like with like. */
export function inShort(figures: Figures): Table {
  const ours = askedIn(figures).find(({ id }) => id === ourId)
  const peers = peersIn(figures).filter(({ atCuts }) => atCuts.length > 0)
  const withFacts = peers.some(({ facts }) => facts.length > 0)
  const rows = peers.map(withFacts ? byFacts : (peer) => byNames(peer, ours))
  return {
    title: 'Like with like',
    note: `After one compaction to ${usual.toLocaleString('en-US')} tokens. Peers without a budget keep more, others less, so Throughline was given ${withFacts ? 'as many tokens as the peer kept, in each session' : 'the same budget'}.`,
    head: [
      'engine',
      'tokens kept',
      `${withFacts ? 'facts' : 'names'} it keeps`,
      'Throughline keeps',
    ],
    rows: rows
      .toSorted((a, b) => (b.theirs ?? -1) - (a.theirs ?? -1))
      .map(({ name, tokens, theirs, same }) => [
        name,
        tokens === undefined ? '-' : Math.round(tokens).toLocaleString('en-US'),
        theirs === undefined ? '-' : percent(theirs),
        same === undefined ? '-' : percent(same),
      ]),
  }
}

interface Row {
  name: string
  tokens: number | undefined
  theirs: number | undefined
  /** What Throughline keeps in the same room. */
  same: number | undefined
}

function byFacts({ name, facts, inAsMany }: Asked): Row {
  const stated = pooledFacts(facts.find(([first]) => first?.keep === usual) ?? [])
  const same = pooledFacts(inAsMany ?? [])
  return { name, tokens: stated?.tokens, theirs: stated?.all, same: same?.all }
}

function byNames(peer: Asked, ours: Asked | undefined): Row {
  const at = atUsual(peer)
  return {
    name: peer.name,
    tokens: at?.kept.mean,
    theirs: needIn(at),
    same: needIn(ours && atUsual(ours)),
  }
}

function needIn(result: Asked['atCuts'][number] | undefined): number | undefined {
  return result === undefined || result.forwardNeed.cuts === 0 ? undefined : result.forwardNeed.mean
}

function atUsual({ atCuts }: Asked): Asked['atCuts'][number] | undefined {
  return atCuts.find(({ keep }) => keep === usual) ?? atCuts[0]
}
