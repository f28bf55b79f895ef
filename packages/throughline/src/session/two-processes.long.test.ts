import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { entriesIn, rangesAt, rewindsIn } from '../log/history.ts'
import { messageText } from '../log/message.ts'
import { openSession } from './session.ts'
import { sqliteStore } from '../stores/sqlite/index.ts'
import type { Chronological } from '../log/order.ts'
import type { Entry, EntryOf } from '../log/entry.ts'
import type { SessionDone, SessionTask } from './testing/session-process.ts'

const script = fileURLToPath(new URL('./testing/session-process.ts', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'throughline-processes-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Processes of the system's, which begin when each has the session open. */
async function together(tasks: readonly SessionTask[]): Promise<SessionDone[]> {
  const processes = tasks.map(() => fork(script, { execArgv: [] }))
  const answers = async (question: (at: number) => SessionTask | 'go'): Promise<unknown[]> =>
    Promise.all(
      processes.map(async (process, at) => {
        const answer = once(process, 'message')
        process.send(question(at))
        const [said] = (await answer) as unknown[]
        return said
      }),
    )
  try {
    await answers((at) => tasks[at] as SessionTask)
    return (await answers(() => 'go')) as SessionDone[]
  } finally {
    for (const process of processes) process.kill()
  }
}

async function logIn(file: string): Promise<Chronological> {
  const store = sqliteStore({ file })
  const session = await openSession({ store, id: 'shared', window: { context: 1_000_000 } })
  const log = await session.log()
  store.close()
  return log
}

/** Who said a message, by the name in it. */
function speaker(entry: Entry): string | undefined {
  return entry.kind === 'message'
    ? /\b(one|two) \d/.exec(messageText(entry.message))?.[1]
    : undefined
}

/** What of each process a rewind took out. */
function undoneBy(log: Chronological, rewind: EntryOf<'rewind'>): Set<string | undefined> {
  const rewinds = rewindsIn(log)
  const before = [...entriesIn(log, rangesAt(rewinds, rewind.seq - 1))]
  const after = new Set(entriesIn(log, rangesAt(rewinds, rewind.seq)))
  return new Set(before.filter((entry) => !after.has(entry)).map(speaker))
}

describe('two processes of the system at work on one session', () => {
  test('as hosts with arrays of their own: no rewind of the other one’s words is silent', async () => {
    const file = join(folder, 'hosts.db')
    const task = { file, rounds: 15, as: 'host', context: 200_000 } as const
    const done = await together([
      { ...task, name: 'one' },
      { ...task, name: 'two' },
    ])
    const log = await logIn(file)
    const told = done.flatMap(({ rewoundOthers }) => rewoundOthers)
    const notes = log.filter(
      ({ kind, ...entry }) =>
        kind === 'observation' && JSON.stringify(entry).includes('"rewound-others"'),
    )
    // A process undoes the other one’s words with its own; it never mixes them up with its own.
    const undone = log.flatMap((entry, at) => {
      if (entry.kind !== 'rewind') return []
      const next = log.slice(at + 1).find(({ kind }) => kind === 'message')
      const names = undoneBy(log, entry)
      names.delete(undefined)
      names.delete(next && speaker(next))
      return names.size > 0 ? [entry] : []
    })
    expect(notes.length).toBe(told.length)
    expect(told.length).toBeGreaterThanOrEqual(undone.length)
    // They worked on the same session at the same time, or this shows nothing.
    expect(undone.length).toBeGreaterThan(0)
    for (const [at, name] of ['one', 'two'].entries()) {
      for (let round = 0; round < (done[at]?.rounds ?? 0); round++) {
        const said = log.filter(
          (entry) =>
            entry.kind === 'message' && messageText(entry.message) === `go on, ${name} ${round} `,
        )
        expect(said.length).toBeGreaterThanOrEqual(1)
      }
    }
  })

  test('as loops that append: all that was said stands, and one overflow is one compaction', async () => {
    const file = join(folder, 'loops.db')
    const task = { file, rounds: 30, as: 'loop', context: 16_000 } as const
    const done = await together([
      { ...task, name: 'one' },
      { ...task, name: 'two' },
    ])
    const log = await logIn(file)
    for (const [at, name] of ['one', 'two'].entries()) {
      const said = log.filter((entry) => speaker(entry) === name)
      expect(said).toHaveLength(2 * (done[at]?.rounds ?? 0))
    }
    expect(log.some(({ kind }) => kind === 'rewind')).toBe(false)
    const compactions = log.filter(({ kind }) => kind === 'checkpoint' || kind === 'prune')
    expect(compactions.length).toBeGreaterThan(0)
    expect(compactions).toHaveLength(done.reduce((sum, { compactions }) => sum + compactions, 0))
    // None was made of what another one had just compacted.
    const bases = compactions.flatMap((entry) => ('base' in entry ? [entry.base] : []))
    compactions.forEach(({ seq }, at) => {
      const earlier = compactions[at - 1]
      if (earlier) expect(bases[at]).toBeGreaterThanOrEqual(earlier.seq)
      expect(bases[at]).toBeLessThan(seq)
    })
    expect(done.some(({ events }) => events.includes('written-elsewhere'))).toBe(true)
  })
})
