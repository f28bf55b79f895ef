import { percent } from '../fidelity/goals.ts'
import { moneyOf } from './money.ts'
import { pooledFacts } from 'throughline/evaluation'
import { askedIn, ourId, peersIn, recordedId } from './asked.ts'
import type { Asked, Figures } from './figures.ts'

/** What was to be reached, and what was reached. */
export interface Goal {
  what: string
  goal: string
  reached: string
  met: boolean
}

/** Facts are the measure; names may cost no more than this. */
const forwardNeedGoals = new Map([
  [3_000, 0.6],
  [8_000, 0.88],
  [12_000, 0.93],
])

const factGoals: Readonly<Record<string, ReadonlyMap<number, number>>> = {
  [ourId]: new Map([
    [3_000, 0.42],
    [8_000, 0.6],
    [12_000, 0.7],
    [20_000, 0.78],
  ]),
  [recordedId]: new Map([
    [3_000, 0.5],
    [8_000, 0.68],
  ]),
}

/** From 8k on, of what decides whether the agent goes on rightly. */
const leastOfDeciding = 0.7
const decidingFrom = 8_000

const humanGoals = new Map([
  [3_000, 0.6],
  [8_000, 0.98],
])

/**
 * The share of first facts that must be left after twenty compactions: they may lose two points.
 */
const leastOfFirstFacts = 0.98

/** Those who kept less than this can be outdone by half. */
const littleKept = 0.6

/** A share of the cost of the seeds' policy. */
const mostMoney = 0.6

/** Every goal next to what was reached, met or not. */
export function goalsOf(figures: Figures): Goal[] {
  const ours = askedIn(figures).find(({ id }) => id === ourId)
  if (!ours) return []
  return [
    ...askedIn(figures).flatMap(factGoalsOf),
    ...ours.atCuts.flatMap((result) => humanGoal(result)),
    ...ours.atCuts.flatMap((result) => forwardNeedGoal(result)),
    abovePeers(ours, figures),
    ...figures.harnesses.map(harnessGoal),
    ...trailGoals(ours),
    ...seriesGoals(ours),
    ...moneyGoal(figures),
  ]
}

function factGoalsOf({ id, name, facts }: Asked): Goal[] {
  return facts.flatMap((rows) => {
    const keep = rows[0]?.keep ?? 0
    const pooled = pooledFacts(rows)
    if (pooled === undefined || factGoals[id] === undefined) return []
    const least = factGoals[id].get(keep)
    const at = `at ${keep / 1_000}k kept: ${name}`
    const deciding = pooled.kinds.filter(
      ({ kind }) => id === ourId && (kind === 'continuation' || kind === 'constraint'),
    )
    return [
      ...(least === undefined ? [] : [shareGoal(`facts ${at}`, pooled.all, least)]),
      ...(keep < decidingFrom ? [] : deciding).map(({ kind, share }) =>
        shareGoal(`facts of ${kind} ${at}`, share, leastOfDeciding),
      ),
    ]
  })
}

function humanGoal({ keep, human }: Asked['atCuts'][number]): Goal[] {
  const least = humanGoals.get(keep)
  if (least === undefined || human.said === 0) return []
  return [shareGoal(`human words at ${keep / 1_000}k kept`, human.held / human.said, least)]
}

function shareGoal(what: string, share: number, least: number): Goal {
  return { what, goal: `≥ ${percent(least)}`, reached: percent(share), met: share >= least }
}

function forwardNeedGoal({ keep, forwardNeed }: Asked['atCuts'][number]): Goal[] {
  const goal = forwardNeedGoals.get(keep)
  if (goal === undefined || forwardNeed.cuts === 0) return []
  return [
    {
      what: `forward need at ${keep / 1_000}k kept, all sessions`,
      goal: `≥ ${percent(goal)}`,
      reached: percent(forwardNeed.mean),
      met: forwardNeed.mean >= goal,
    },
  ]
}

function abovePeers(ours: Asked, figures: Figures): Goal {
  const above = peersIn(figures).flatMap(({ name, atCuts }) =>
    atCuts
      .filter(({ keep, forwardNeed }) => {
        const own = ours.atCuts.find((result) => result.keep === keep)
        return own !== undefined && forwardNeed.mean >= own.forwardNeed.mean
      })
      .map(({ keep, kept }) => `${name} at ${keep / 1_000}k (it kept ${kept.mean})`),
  )
  return {
    what: 'forward need above every peer at every size',
    goal: 'all',
    reached: above.length === 0 ? 'all' : `not above ${above.join(', ')}`,
    met: above.length === 0,
  }
}

function harnessGoal({ harness, theirs, ours, few }: Figures['harnesses'][number]): Goal {
  const times = theirs.share < littleKept ? 1.5 : 1
  const note = few ? ', fewer than ten needed' : ''
  return {
    what: `at the compactions that ${harness} made, with as many tokens${note}`,
    goal: times > 1 ? `≥ 1.5 × ${percent(theirs.share)}` : `> ${percent(theirs.share)}`,
    reached: percent(ours.share),
    met: times > 1 ? ours.share >= times * theirs.share : ours.share > theirs.share,
  }
}

function trailGoals({ atCuts }: Asked): Goal[] {
  const changed = atCuts.reduce((sum, { trail }) => sum + trail.changed, 0)
  const right = atCuts.reduce((sum, { trail }) => sum + trail.right, 0)
  const invented = atCuts.reduce((sum, result) => sum + result.invented.length, 0)
  return [
    {
      what: 'artifact trail, all sizes',
      goal: '100%',
      reached: `${right} of ${changed}`,
      met: right === changed,
    },
    { what: 'invented paths, all sizes', goal: '0', reached: `${invented}`, met: invented === 0 },
  ]
}

function seriesGoals({ series }: Asked): Goal[] {
  const last = series?.after.at(-1)
  if (!last) return []
  const { rounds, rules, drift } = last
  return [
    {
      what: `rules word for word after ${rounds} compactions`,
      goal: '100%',
      reached: percent(rules),
      met: rules === 1,
    },
    {
      what: `drift after ${rounds} compactions, of all first facts`,
      goal: '≤ 2 points',
      reached: `${((1 - drift) * 100).toFixed(1)} points`,
      met: drift >= leastOfFirstFacts,
    },
  ]
}

function moneyGoal(figures: Figures): Goal[] {
  const all = askedIn(figures).map(moneyOf)
  const ours = all.find(({ id }) => id === ourId)
  const seeds = all.find(({ id }) => id === 'seeds')
  if (!ours || !seeds || seeds.dollars === 0) return []
  const ratio = ours.dollars / seeds.dollars
  return [
    {
      what: "money for whole sessions, beside the seeds' policy, at equal or better forward need",
      goal: `≤ ${mostMoney} ×`,
      reached: `${ratio.toFixed(2)} × (forward need ${percent(ours.forwardNeed)} beside ${percent(seeds.forwardNeed)})`,
      met: ratio <= mostMoney && ours.forwardNeed >= seeds.forwardNeed,
    },
  ]
}
