import { compactLog } from 'throughline'
import { chronological } from 'throughline/engine'
import { scriptedSummarizer } from 'throughline/testing'
import { codingSession } from './session.ts'
import { collectYoung } from './limit.ts'
import { spreadOf, type Spread } from './spread.ts'
import { exactly, tell } from './tell.ts'
import type { Entry, Summarizer } from 'throughline'

const small = 1_000
const times = 100
const warmUp = 2
const shortOnes = 25

/** Milliseconds of processor time of one compaction of a session of this many entries. */
async function timeOf(entries: number, summarizer: Summarizer | undefined): Promise<number> {
  const drafts = structuredClone(codingSession(entries, 100))
  const log = chronological(drafts.map((draft, index): Entry => ({ ...draft, seq: index + 1 })))
  await collectYoung()
  const before = process.threadCpuUsage()
  await compactLog(log, {
    window: { context: 200_000 },
    trigger: 'manual',
    ...(summarizer && { summarizer }),
  })
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}

/** How a compaction's time grows with its session, with a local summary and with a model's. */
export async function benchGrowth(rounds = 3): Promise<Record<'local' | 'model', Spread>> {
  const figures = {} as Record<'local' | 'model', Spread>
  for (const name of ['local', 'model'] as const) {
    const summarizer = name === 'model' ? scriptedSummarizer('good') : undefined
    const ratios: number[] = []
    for (let round = 0; round < warmUp; round++) await timeOf(small, summarizer)
    for (let round = 0; round < rounds; round++) {
      // The clock of a thread may go in jumps that are longer than one short compaction.
      let sum = 0
      for (let one = 0; one < shortOnes; one++) sum += await timeOf(small, summarizer)
      ratios.push((await timeOf(small * times, summarizer)) / (sum / shortOnes))
    }
    figures[name] = spreadOf(ratios)
    tell({
      what: `a session ${times} times as long, ${name} summary, by the processor time of the short one`,
      figure: figures[name],
      unit: '×',
      goal: { most: 130 },
      limit: {
        figure: exactly(times),
        what: 'in proportion; what every compaction costs counts for more in the short one',
      },
      digits: 0,
    })
  }
  return figures
}

if (process.argv[1] === import.meta.filename) await benchGrowth()
