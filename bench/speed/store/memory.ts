import { execFileSync } from 'node:child_process'
import { openSession } from 'throughline'
import { sqliteStore } from 'throughline/sqlite'
import { window } from './recorded-appends.ts'
import type { Store } from 'throughline'

/** The work of a process whose memory is measured. */
const work = {
  nothing: async () => undefined,
  open: async (store: Store) => (await openSession({ store, id: 'a', window })).messages(),
  streamed: async (store: Store) => {
    for await (const _ of (await openSession({ store, id: 'a', window })).entries());
  },
  everything: (store: Store) => store.read('a'),
} as const

type Work = keyof typeof work

/** What reading a session of 100,000 entries may take. */
const mostMegabytes = 200

/**
 * The peak memory of a new process that opens a session, compared with one that reads all of it.
 */
export function benchMemory(file: string): Record<Work, number> {
  const peaks = {
    nothing: peak('nothing'),
    open: peak('open'),
    streamed: peak('streamed'),
    everything: peak('everything'),
  }
  const [nothing, open, streamed, everything] = Object.values(peaks).map((megabytes) =>
    megabytes.toFixed(0),
  )
  console.log(
    `peak memory of a new process: ${open} MB to open the session, ${streamed} MB to read all of it entry by entry (goal ≤ ${mostMegabytes}${peaks.streamed > mostMegabytes ? ', MISSED' : ''}), ${everything} MB to hold all of it; ${nothing} MB to read nothing`,
  )
  return peaks

  function peak(name: Work): number {
    const own = [import.meta.filename, '--peak', name, file]
    return Number(execFileSync(process.execPath, own).toString())
  }
}

if (process.argv[1] === import.meta.filename && process.argv[2] === '--peak') {
  const [name, file = ''] = process.argv.slice(3)
  await work[name as Work](sqliteStore({ file }))
  console.log(process.resourceUsage().maxRSS / 1024)
}
