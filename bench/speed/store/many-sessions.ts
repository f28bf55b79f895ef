import { openSession } from 'throughline'
import { sqliteStore } from 'throughline/sqlite'
import { atMost } from '../goal.ts'
import { printSpread, spreadOf, type Spread } from '../spread.ts'
import { window } from './recorded-appends.ts'

const rounds = 15

/**
 * How the number of sessions affects opening one, in milliseconds: SQLite first reads the names of
 * all tables.
 */
export async function benchManySessions(file: string): Promise<Spread[]> {
  const store = sqliteStore({ file })
  const measured: Spread[] = []
  let made = 0
  for (const many of [100, 1_000, 10_000]) {
    for (; made < many; made++) await openNew(store, `session-${made}`)
    const times: number[] = []
    for (let round = 0; round < rounds; round++) times.push(await timeToOpen(file))
    const spread = spreadOf(times)
    measured.push(spread)
    console.log(
      `open one of ${many.toLocaleString('en')} short sessions: ${printSpread(spread, 1)} ms ${atMost(2, spread)}; a new connection each time`,
    )
  }
  store.close()
  return measured
}

async function openNew(store: ReturnType<typeof sqliteStore>, id: string): Promise<void> {
  const session = await openSession({ store, id, window })
  await session.say('Look at the tests.')
}

async function timeToOpen(file: string): Promise<number> {
  const start = performance.now()
  const store = sqliteStore({ file })
  const session = await openSession({ store, id: 'session-50', window })
  session.messages()
  const time = performance.now() - start
  store.close()
  return time
}
