import { join } from 'node:path'
import { defaultPolicy, presets, ThroughlineError, type Policy } from 'throughline'
import { genericIdentifiers, markText, pooledFacts } from 'throughline/evaluation'
import { readSittings, usualExams } from '../facts/exams.ts'
import { summarizerOf } from '../peers/adapters/throughline.ts'
import { standIn, type Asked } from '../peers/stand-in.ts'
import { chooseSessions } from './choose-sessions.ts'
import { live, saidAtTheEnd, type Life, type LivePolicy } from './life.ts'
import { throughlineLives } from './live-policies.ts'
import { markdownTable } from './markdown.ts'
import { moneyOf, type Money } from './money.ts'

// What whole sessions cost, and how much of what was needed is kept, by how full a window is
// compacted and how much is kept: npm run bench:policies -- [WINDOW]
const window = Number(process.argv[2] ?? 64_000)
const thresholds = [0.95, 0.7, 0.5, 0.4]
const keeps = [4_000, 8_000, 12_000, 20_000, 40_000]

const { sessions } = await chooseSessions(undefined)
const generic = genericIdentifiers(sessions)
const sittings = await readSittings(
  usualExams,
  process.env['THROUGHLINE_CORPUS'] ?? join(usualExams, '../corpus'),
)

interface Row extends Money {
  /** Facts that the context states where an exam was written, and its tokens there. */
  facts: ReturnType<typeof pooledFacts>
}

/** At half of the threshold, a compaction has made enough room; more than that is not kept. */
function earlier(threshold: number, keep: number): Policy {
  const half = (usable: number): number => Math.floor((usable * threshold) / 2)
  return {
    ...defaultPolicy,
    threshold: (usable) => Math.floor(usable * threshold),
    lowWater: half,
    keep: (usable) => Math.min(keep, half(usable)),
    prepareAt: (usable) => usable,
  }
}

async function rowUnder(name: string, policy: Policy, byModel = false): Promise<Row> {
  const asked: Asked[] = []
  const summarizer = byModel
    ? summarizerOf(standIn(undefined, (one) => asked.push(one)))
    : undefined
  const lived = throughlineLives(name, { policy, ...(summarizer && { summarizer, asked }) })
  const lives: Life[] = []
  for (const session of sessions) lives.push(await live(session, lived, { window, generic }))
  const money = moneyOf({ id: name, name, atCuts: [], facts: [], lives, recordedAnswers: 0 })
  return { ...money, facts: await factsUnder(lived) }
}

/**
 * In windows around the one that was asked for: whether a session was compacted just before its exam
 * or long before is chance.
 */
async function factsUnder(lived: LivePolicy): Promise<ReturnType<typeof pooledFacts>> {
  const marked = []
  for (const share of [0.7, 0.85, 1, 1.15, 1.3]) {
    for (const { exam, session } of sittings) {
      // A session that can't be kept in its window ends there, with nothing.
      const said = await saidAtTheEnd(session, lived, Math.round(window * share)).catch(
        (error: unknown) => {
          if (ThroughlineError.isInstance(error)) return ''
          throw error
        },
      )
      marked.push(markText(exam, said))
    }
  }
  return pooledFacts(marked)
}

const seeds = await rowUnder("the seeds' policy", presets.seed, true)
const rows = [
  seeds,
  await rowUnder('default', presets.default),
  await rowUnder('economic', presets.economic),
  await rowUnder('economic, 30% kept', {
    ...presets.economic,
    keep: (usable) => Math.floor(usable * 0.3),
  }),
  await rowUnder('default, by a model', presets.default, true),
  await rowUnder('economic, by a model', presets.economic, true),
]
for (const threshold of thresholds) {
  for (const keep of keeps) {
    const name = `at ${threshold * 100}% of usable, ${keep / 1_000}k kept`
    rows.push(await rowUnder(name, earlier(threshold, keep)))
  }
}
console.log(`${sessions.length} sessions in a window of ${window.toLocaleString('en')} tokens`)
console.log(
  markdownTable({
    head: [
      'policy',
      'dollars',
      "by the seeds' policy",
      'compactions',
      'needed names',
      'facts',
      'in tokens',
    ],
    rows: rows.map(({ name, dollars, compactions, forwardNeed, facts }) => [
      name,
      dollars.toFixed(2),
      `${(dollars / seeds.dollars).toFixed(2)} ×`,
      `${compactions}`,
      `${(forwardNeed * 100).toFixed(1)}%`,
      facts === undefined ? '-' : `${(facts.all * 100).toFixed(1)}%`,
      facts === undefined ? '-' : Math.round(facts.tokens).toLocaleString('en'),
    ]),
  }),
)
