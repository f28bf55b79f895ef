import { readSession } from '../../formats/reading/read-session.ts'
import { readFound } from '../../harnesses/read-found.ts'
import { moneyOf, type SessionMoney } from '../sizes/session-money.ts'
import { cacheFor, type IndexFile } from '../store/search-file.ts'
import { clipColumns } from '../terminal/columns.ts'
import { withThousands } from '../terminal/numbers.ts'
import { statusLine } from '../terminal/status-line.ts'
import { takeTurn } from '../terminal/turn.ts'
import { stateOf } from './session-found.ts'
import type { Configuration } from '../../config/load-config.ts'
import type { FoundSession } from '../../harnesses/found-session.ts'
import type { Io } from '../io.ts'

/** The costs of sessions, by the place of each; none where it is unknown. */
export type FoundMoney = ReadonlyMap<string, SessionMoney>

/**
 * What sessions of this machine have cost. Usage is in every part of a session, so each is read once,
 * and again when it has changed; the cost is kept next to the store.
 * `read: false` returns what is known and reads nothing.
 * @throws InterruptedError
 */
export async function foundMoney(
  sessions: readonly FoundSession[],
  configuration: Configuration,
  io: Io,
  { read }: { read: boolean },
): Promise<FoundMoney> {
  const index = cacheFor(configuration, { make: read })
  const status = statusLine(io)
  const money = new Map<string, SessionMoney>()
  try {
    for (const [number, session] of sessions.entries()) {
      const { place, stamp } = stateOf(session)
      const known = index?.all('SELECT * FROM costs WHERE place = ? AND stamp = ?', place, stamp)[0]
      if (!known && !read) continue
      if (!known) {
        await status.show((columns) =>
          clipColumns(
            `adding up costs  ${withThousands(number)}/${withThousands(sessions.length)}`,
            columns,
          ),
        )
        await takeTurn(io)
      }
      const cost = known ? fromRow(known) : await costOf(session)
      if (!known) remember(index, place, stamp, cost)
      if (cost) money.set(place, cost)
    }
  } finally {
    await status.clear()
    index?.close()
  }
  return money
}

async function costOf(found: FoundSession): Promise<SessionMoney | undefined> {
  const read = await readSession(readFound(found), { formats: [found.harness.format] }).catch(
    () => undefined,
  )
  return read && moneyOf(read)
}

function remember(
  index: IndexFile | undefined,
  place: string,
  stamp: string,
  cost: SessionMoney | undefined,
): void {
  const sql =
    'INSERT OR REPLACE INTO costs (place, stamp, dollars, requests, unpriced) VALUES (?, ?, ?, ?, ?)'
  try {
    const { dollars = 0, requests = 0, unpriced = 0 } = cost ?? {}
    index?.run(sql, place, stamp, dollars, requests, unpriced)
  } catch {
    // Another process writes to it; next time is early enough.
  }
}

function fromRow(row: Readonly<Record<string, unknown>>): SessionMoney | undefined {
  const [dollars, requests] = [Number(row['dollars']), Number(row['requests'])]
  return requests === 0 ? undefined : { dollars, requests, unpriced: Number(row['unpriced']) }
}
