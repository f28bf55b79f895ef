import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSession } from 'throughline'
import { sqliteStore } from 'throughline/sqlite'
import { codingSession } from '../speed/session.ts'
import { medianTime, type Growth, type Point } from './growth.ts'
import { bytesOf } from './one-file.ts'

const tokensPerEntry = 100
const sizes = [1_000_000, 3_000_000, 10_000_000]
const window = { context: 200_000 }

/** One session of an agent that never ends, in a window of 200,000 tokens. */
export async function measureOneSession(): Promise<Growth> {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-scale-'))
  const file = join(folder, 'sessions.db')
  const store = sqliteStore({ file })
  const points: Point[] = []
  try {
    const session = await openSession({ store, id: 'long', window })
    const drafts = codingSession(Math.max(...sizes) / tokensPerEntry, tokensPerEntry)
    globalThis.gc?.()
    const base = process.memoryUsage().heapUsed
    let at = 0
    for (const size of sizes) {
      const steps: number[] = []
      const waits: number[] = []
      for (; at < size / tokensPerEntry; at += 2) {
        const begun = performance.now()
        await session.append(...drafts.slice(at, at + 2))
        const appended = performance.now()
        const report = await session.fit()
        if (report.action !== 'none') waits.push(performance.now() - appended)
        else steps.push(performance.now() - begun)
        session.messages()
      }
      globalThis.gc?.()
      const held = process.memoryUsage().heapUsed - base
      const late = (times: number[]): number =>
        times.slice(-500).toSorted((a, b) => a - b)[Math.floor(Math.min(500, times.length) / 2)] ??
        Number.NaN
      const opened = await medianTime(5, async () => {
        const fresh = sqliteStore({ file })
        const again = await openSession({ store: fresh, id: 'long', window })
        again.messages()
        fresh.close()
      })
      const first = performance.now()
      await store.search('long', { phrases: [['render']], match: 'all', limit: 10 })
      const indexed = performance.now() - first
      const searched = await medianTime(5, async () =>
        store.search('long', { phrases: [['render']], match: 'all', limit: 10 }),
      )
      const told = performance.now()
      const history = await (await openSession({ store, id: 'long', window })).history()
      const read = performance.now() - told
      if (history.length < at / 2) throw new Error(`a history of ${history.length} messages`)
      points.push({
        size,
        figures: {
          'bytes in the file, for each token': bytesOf(file) / size,
          'memory of the open session, MB': held / 1e6,
          'a step: append, gate, messages, ms': late(steps),
          'a compaction by code, ms': late(waits),
          'open it in another process, ms': opened,
          'search it for the first time, ms': indexed,
          'search it again, ms': searched,
          'read its whole history, ms': read,
        },
      })
      console.log(JSON.stringify(points.at(-1)))
    }
  } finally {
    store.close()
    rmSync(folder, { recursive: true })
  }
  return { of: 'tokens', wanted: Math.max(...sizes), points, ofAll: [] }
}
