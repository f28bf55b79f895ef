import { factKinds, pooledFacts } from 'throughline/evaluation'
import { percent } from '../fidelity/goals.ts'
import { askedIn, peersIn, wasAsked } from './asked.ts'
import { goalsOf } from './goals.ts'
import { moneyOf } from './money.ts'
import type { Figures } from './figures.ts'
import type { Growth } from './growth.ts'
import type { Spread } from './speed.ts'

/** A table before it is Markdown or HTML. */
export interface Table {
  title: string
  /** What the figures mean, and what they don't. */
  note: string
  head: string[]
  rows: string[][]
}

/** All tables of the report, in order. */
export function tablesOf(figures: Figures): Table[] {
  return [
    facts(figures),
    atCuts(figures),
    recorded(figures),
    series(figures),
    money(figures),
    speed(figures),
    growth(figures),
    contested(figures),
    goals(figures),
  ].filter(({ rows }) => rows.length > 0)
}

function goals(figures: Figures): Table {
  return {
    title: 'Goals',
    note: 'Throughline’s goals with its default policy and without a model, and its results.',
    head: ['goal', 'to reach', 'reached', 'met'],
    rows: goalsOf(figures).map(({ what, goal, reached, met }) => [
      what,
      goal,
      reached,
      met ? 'yes' : 'NO',
    ]),
  }
}

function facts(figures: Figures): Table {
  return {
    title: 'Which facts survive one compaction',
    note: 'The share of 480 facts of eight sessions (what was found, changed and why, decided, left to do, demanded) that the context still states, and the worst session. What continues the work and what the human demands decide whether an agent goes on rightly. A list of all names states none.',
    head: ['kept by', 'cap', 'tokens kept', 'facts', 'worst', ...factKinds, 'per 1,000 tokens'],
    rows: askedIn(figures).flatMap(({ name, facts }) =>
      facts.flatMap((rows) => {
        const pooled = pooledFacts(rows)
        if (pooled === undefined) return []
        const { all, worst, tokens, kinds, perThousand } = pooled
        const shares = factKinds.map((kind) => kinds.find((one) => one.kind === kind)?.share ?? 0)
        const cap = `${(rows[0]?.keep ?? 0) / 1_000}k`
        const figures = [all, worst, ...shares].map(percent)
        return [[name, cap, `${Math.round(tokens)}`, ...figures, perThousand.toFixed(1)]]
      }),
    ),
  }
}

function atCuts(figures: Figures): Table {
  return {
    title: 'What survives one compaction',
    note: 'Forward need: the share of the paths and identifiers in the next 40 tool calls that is still in the context. Tokens are bytes/4, mean and maximum; peers without a budget keep more than the cap. Human words: the human’s sentences that stand word for word. Read again: files that are read again in these 40 calls, and how many of them stand in the context.',
    head: [
      'kept by',
      'cap',
      'tokens kept (most)',
      'human words',
      'artifact trail',
      'invented',
      'orphans',
      'forward need',
      'read again (kept)',
    ],
    rows: askedIn(figures).flatMap(({ name, atCuts }) =>
      atCuts.map(({ keep, kept, forwardNeed, trail, invented, orphans, human, reReads }) => [
        name,
        `${keep / 1_000}k`,
        `${kept.mean} (${kept.most})`,
        human.said === 0 ? '-' : percent(human.held / human.said),
        `${trail.right} of ${trail.changed}`,
        `${invented.length}`,
        `${orphans}`,
        forwardNeed.cuts === 0 ? 'no cut' : percent(forwardNeed.mean),
        `${reReads.again} (${reReads.spared})`,
      ]),
    ),
  }
}

function recorded({ harnesses }: Figures): Table {
  return {
    title: 'At the compactions that sessions record',
    note: 'What the harness really kept, and what Throughline keeps at the same moment with as many tokens. Codex’s own summary is encrypted, so its figure is a lower bound.',
    head: [
      'harness',
      'compactions',
      'needed',
      'tokens kept',
      'forward need',
      'Throughline: tokens',
      'forward need',
    ],
    rows: harnesses.map(({ harness, compactions, needed, few, theirs, ours }) => [
      harness,
      `${compactions}`,
      few ? `${needed} (few)` : `${needed}`,
      `${theirs.tokens}`,
      percent(theirs.share),
      `${ours.tokens}`,
      percent(ours.share),
    ]),
  }
}

function series(figures: Figures): Table {
  return {
    title: 'What survives many compactions',
    note: 'The share of the human’s standing rules, in eight languages, that is still there word for word; and the share of the facts kept by the first compaction that is still kept.',
    head: ['kept by', 'cap', 'compactions in a row', 'rules', 'first facts'],
    rows: askedIn(figures).flatMap(({ name, series }) =>
      (series?.after ?? []).map(({ rounds, rules, drift }) => [
        name,
        `${(series?.keep ?? 0) / 1_000}k`,
        `${rounds}`,
        percent(rules),
        percent(drift),
      ]),
    ),
  }
}

function money(figures: Figures): Table {
  const all = askedIn(figures)
    .filter(({ lives }) => lives.length > 0)
    .map(moneyOf)
  const seeds = all.find(({ id }) => id === 'seeds')?.dollars ?? 0
  return {
    title: 'Money for whole sessions',
    note: `Every session is replayed in a window of ${figures.window} tokens, with a prompt cache (read 0.1 ×, write 1.25 ×, five minutes), at 3 dollars per million input tokens and 15 per million output tokens. Forward need is measured at the compactions of that replay. A session that could not be kept in its window ends there and therefore costs less.`,
    head: [
      'policy',
      'compactions',
      'dollars',
      'of which summaries',
      "compared with the seeds'",
      'forward need',
      'sessions that did not fit',
    ],
    rows: all.map(({ name, compactions, dollars, summaries, forwardNeed, stopped }) => [
      name,
      `${compactions}`,
      dollars.toFixed(2),
      summaries.toFixed(2),
      seeds === 0 || stopped > 0 ? '-' : `${(dollars / seeds).toFixed(2)} ×`,
      compactions === 0 ? '-' : percent(forwardNeed),
      `${stopped}`,
    ]),
  }
}

function speed(figures: Figures): Table {
  return {
    title: 'Speed and memory',
    note: 'The peer’s time and additional heap, divided by Throughline’s in the same run: median (minimum to maximum). Above 1, the peer takes more. The model’s time is excluded. Engines that trim are compared with Throughline’s pruning, and engines that summarize with its local summary. None of these peers reads by code what a session says: what summarizes hands the text to its model, whose time is excluded, and what trims looks at sizes and kinds. The time of the local summary is that of reading every message.',
    head: ['peer', 'beside', 'time', 'memory'],
    rows: peersIn(figures).flatMap(({ speed }) =>
      speed ? [[speed.peer, speed.beside, spread(speed.time), spread(speed.memory)]] : [],
    ),
  }
}

function spread({ least, median, most }: Spread): string {
  return `${median.toFixed(2)} (${least.toFixed(2)} to ${most.toFixed(2)})`
}

function growth(figures: Figures): Table {
  const all = [...figures.growth, ...peersIn(figures).flatMap(({ growth }) => growth ?? [])]
  const sizes = all[0]?.sizes.map(({ copies }) => copies) ?? []
  const most = all.reduce<readonly number[]>((longest, { sizes }) => {
    return sizes.length > longest.length ? sizes.map(({ copies }) => copies) : longest
  }, sizes)
  return {
    title: 'How time grows',
    note: 'One compaction of the largest session, repeated to many times its length, divided by one of that session as it is. If time grows in proportion to the session, the value equals the factor.',
    head: ['engine', ...most.map((copies) => `${copies} × as long`)],
    rows: all.map((one) => [one.peer, ...most.map((copies) => grownBy(one, copies))]),
  }
}

function grownBy({ sizes }: Growth, copies: number): string {
  const at = sizes.find((size) => size.copies === copies)
  if (!at) return 'not tried'
  return at.time === undefined ? (at.problem ?? 'no answer') : `${at.time.toFixed(1)} ×`
}

function contested({ contested }: Figures): Table {
  return {
    title: 'Who was asked',
    note: 'Peers are called in process, through one interface. Those that need a model get the same deterministic stand-in, which picks whole lines from its input.',
    head: ['engine', 'version', 'work', 'how it was set up'],
    rows: contested.flatMap((one) => {
      if (!wasAsked(one)) return [[one.id, '-', '-', `Not measured: ${one.problem}`]]
      const { name, about } = one
      return about ? [[name, `${about.package} ${about.version}`, about.work, about.settings]] : []
    }),
  }
}
