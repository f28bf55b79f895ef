import { defaultPolicy, presets, type Policy } from 'throughline'
import { genericIdentifiers } from 'throughline/evaluation'
import { summarizerOf } from '../peers/adapters/throughline.ts'
import { standIn, type Asked } from '../peers/stand-in.ts'
import { chooseSessions } from './choose-sessions.ts'
import { live, type Life } from './life.ts'
import { throughlineLives } from './live-policies.ts'
import { markdownTable } from './markdown.ts'
import { moneyOf, type Money } from './money.ts'

// What whole sessions cost, and how much of what was needed is kept, by how full a window is
// compacted and how much is kept: npm run bench:surface -- [WINDOW]
const window = Number(process.argv[2] ?? 64_000)
const thresholds = [0.95, 0.7, 0.5, 0.4]
const keeps = [4_000, 8_000, 12_000, 20_000, 40_000]

const { sessions } = await chooseSessions(undefined)
const generic = genericIdentifiers(sessions)

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

async function moneyUnder(name: string, policy: Policy, byModel = false): Promise<Money> {
  const asked: Asked[] = []
  const summarizer = byModel
    ? summarizerOf(standIn(undefined, (one) => asked.push(one)))
    : undefined
  const lived = throughlineLives(name, { policy, ...(summarizer && { summarizer, asked }) })
  const lives: Life[] = []
  for (const session of sessions) lives.push(await live(session, lived, { window, generic }))
  return moneyOf({ id: name, name, atCuts: [], facts: [], lives, recordedAnswers: 0 })
}

const seeds = await moneyUnder("the seeds' policy", presets.seed, true)
const rows = [
  seeds,
  await moneyUnder('default', presets.default),
  await moneyUnder('economic', presets.economic),
  await moneyUnder('economic, 16k kept', {
    ...presets.economic,
    keep: (usable) => Math.min(16_000, usable / 3),
  }),
  await moneyUnder('default, by a model', presets.default, true),
  await moneyUnder('economic, by a model', presets.economic, true),
]
for (const threshold of thresholds) {
  for (const keep of keeps) {
    const name = `at ${threshold * 100}% of usable, ${keep / 1_000}k kept`
    rows.push(await moneyUnder(name, earlier(threshold, keep)))
  }
}
console.log(`${sessions.length} sessions in a window of ${window.toLocaleString('en')} tokens`)
console.log(
  markdownTable({
    head: ['policy', 'dollars', "by the seeds' policy", 'compactions', 'kept of what was needed'],
    rows: rows.map(({ name, dollars, compactions, forwardNeed }) => [
      name,
      dollars.toFixed(2),
      `${(dollars / seeds.dollars).toFixed(2)} ×`,
      `${compactions}`,
      `${(forwardNeed * 100).toFixed(1)}%`,
    ]),
  }),
)
