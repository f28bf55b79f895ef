import { openSession } from 'throughline'
import { sqliteStore } from 'throughline/sqlite'
import { atMost } from '../goal.ts'
import { printSpread, spreadOf, type Spread } from '../spread.ts'
import { bareNewest } from './bare.ts'
import { window } from './recorded-appends.ts'

const rounds = 25
const warmUp = 5
const newest = 1_000

/** Opens the session and returns the messages of its next request. */
async function openAndRender(file: string): Promise<number> {
  const store = sqliteStore({ file })
  const session = await openSession({ store, id: 'a', window })
  const { length } = session.messages()
  store.close()
  return length
}

/**
 * Opening a long session, up to the messages of its next request, compared with a bare indexed read
 * of its newest rows. The file is warm and every connection new, on both sides.
 */
export async function benchOpen(files: { store: string; bare: string }): Promise<Spread> {
  const [ours, bare]: [number[], number[]] = [[], []]
  let messages = 0
  for (let round = 0; round < rounds + warmUp; round++) {
    globalThis.gc?.()
    const start = performance.now()
    bareNewest(files.bare, newest)
    const between = performance.now()
    messages = await openAndRender(files.store)
    const end = performance.now()
    if (round < warmUp) continue
    bare.push(between - start)
    ours.push(end - between)
  }
  const ratio = spreadOf(ours.map((time, round) => time / (bare[round] ?? Number.NaN)))
  console.log(
    `open and return the ${messages} messages of the next request: ${printSpread(ratio)} × a bare read of the newest ${newest.toLocaleString('en')} rows ${atMost(2, ratio)}, ${printSpread(spreadOf(ours), 1)} vs. ${printSpread(spreadOf(bare), 1)} ms; warm file, new connections`,
  )
  return ratio
}
