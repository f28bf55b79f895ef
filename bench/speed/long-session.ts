import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSession } from 'throughline'
import { sqliteStore } from 'throughline/sqlite'
import { codingSession } from './session.ts'
import { spreadOf } from './spread.ts'
import { exactly, tell } from './tell.ts'

const steps = 20_000
const parts = 10

/** What a part of a long session takes: microseconds of processor time a step, and heap. */
interface Part {
  step: number
  megabytes: number
}

/**
 * An agent of 20,000 steps in one open session, with its compactions: what its last steps take
 * beside its early ones. The first part of the session also compiles, and is not counted.
 */
export async function benchLongSession(): Promise<Part[]> {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-long-session-'))
  const measured: Part[] = []
  try {
    const store = sqliteStore({ file: join(folder, 'store.db') })
    const session = await openSession({ store, id: 'long', window: { context: 200_000 } })
    const drafts = codingSession(2 * steps, 100)
    globalThis.gc?.()
    const base = process.memoryUsage().heapUsed
    for (let part = 0; part < parts; part++) {
      const from = (drafts.length / parts) * part
      const before = process.threadCpuUsage()
      for (let at = from; at < from + drafts.length / parts; at += 2) {
        await session.append(...drafts.slice(at, at + 2))
        await session.fit()
        session.messages()
      }
      const { user, system } = process.threadCpuUsage(before)
      globalThis.gc?.()
      const megabytes = (process.memoryUsage().heapUsed - base) / 1e6
      measured.push({ step: ((user + system) * parts) / steps, megabytes })
    }
    store.close()
  } finally {
    rmSync(folder, { recursive: true })
  }
  const late = measured.slice(-3)
  const early = measured.slice(1, 4)
  const cost = spreadOf(late.flatMap(({ step }) => early.map((before) => step / before.step)))
  const heap = spreadOf(
    late.flatMap(({ megabytes }) => early.map((before) => megabytes / before.megabytes)),
  )
  const where = `a step near ${steps.toLocaleString('en')} by one near ${(steps / 5).toLocaleString('en')}`
  const limit = { figure: exactly(1), what: 'nothing grows' }
  tell({ what: `${where}, processor time`, figure: cost, unit: '×', goal: { most: 1.2 }, limit })
  tell({ what: 'the heap of that session', figure: heap, unit: '×', goal: { most: 1.2 }, limit })
  const megabytes = spreadOf(late.map((part) => part.megabytes))
  tell({ what: '  in memory, at its end', figure: megabytes, unit: 'MB', digits: 1 })
  return measured
}

if (process.argv[1] === import.meta.filename) await benchLongSession()
