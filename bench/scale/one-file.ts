import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSession } from 'throughline'
import { sqliteStore } from 'throughline/sqlite'
import { codingSession } from '../speed/session.ts'
import { medianTime, type Growth, type Point } from './growth.ts'

const sizes = [1_000, 10_000, 100_000]
const entriesEach = 5
const ofAll = [
  'begin the first session of a process, ms',
  'list all of them from code, ms',
  'memory for that list, MB',
  '`throughline list --stored`, seconds',
  'remove one, ms',
]
const window = { context: 200_000 }
const command = join(import.meta.dirname, '../../packages/throughline/bin/throughline.js')

/** Many sessions in one SQLite file: each of five entries, about 600 characters each. */
export async function measureOneFile(): Promise<Growth> {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-scale-'))
  const file = join(folder, 'sessions.db')
  const drafts = codingSession(entriesEach, 100)
  const points: Point[] = []
  let store = sqliteStore({ file })
  try {
    let made = 0
    for (const size of sizes) {
      for (; made < size; made++) await store.append(`session-${made}`, drafts)
      store.close()
      store = sqliteStore({ file })
      points.push({ size, figures: await measured(size) })
      console.log(JSON.stringify(points.at(-1)))
    }
  } finally {
    store.close()
    rmSync(folder, { recursive: true })
  }
  return { of: 'sessions', wanted: 1_000_000, points, ofAll }

  async function measured(size: number): Promise<Record<string, number>> {
    const some = (round: number): string => `session-${Math.floor((size / 60) * (round + 1))}`
    const bytes = bytesOf(file)
    const opened = await medianTime(15, async (round) => {
      const fresh = sqliteStore({ file })
      const session = await openSession({ store: fresh, id: some(round), window })
      session.messages()
      fresh.close()
    })
    const grown = await medianTime(50, async (round) =>
      store.append(some(round), drafts.slice(0, 2)),
    )
    const first = await medianTime(5, async (round) => {
      const fresh = sqliteStore({ file })
      await fresh.append(`first-${size}-${round}`, drafts)
      fresh.close()
    })
    const begun = await medianTime(50, async (round) =>
      store.append(`new-${size}-${round}`, drafts),
    )
    const found = await medianTime(15, async (round) =>
      store.search(some(round), { phrases: [['render']], match: 'all', limit: 10 }),
    )
    globalThis.gc?.()
    const heap = process.memoryUsage().heapUsed
    const listing = performance.now()
    const listed = await store.sessions()
    const listedIn = performance.now() - listing
    const listHeap = process.memoryUsage().heapUsed - heap
    if (listed.length < size) throw new Error(`${listed.length} of ${size} sessions are listed`)
    const removed = await medianTime(3, async (round) => store.remove(`new-${size}-${round}`))
    return {
      'KB in the file, for each session': bytes / size / 1e3,
      'open the file and one session, ms': opened,
      'append two entries, ms': grown,
      'begin a session, ms': begun,
      'begin the first session of a process, ms': first,
      'search one session for the first time, ms': found,
      'list all of them from code, ms': listedIn,
      'memory for that list, MB': listHeap / 1e6,
      '`throughline list --stored`, seconds': commandTime(file) / 1e3,
      'remove one, ms': removed,
    }
  }
}

/** Of a SQLite file, with its write-ahead log. */
export function bytesOf(file: string): number {
  return statSync(file).size + (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0)
}

function commandTime(file: string): number {
  const argv = [command, 'list', '--stored', '--no-config', '--store', file]
  const begun = performance.now()
  const { status, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return performance.now() - begun
}
