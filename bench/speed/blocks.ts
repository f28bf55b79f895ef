import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  memoryStore,
  openSession,
  recall,
  type EntryDraft,
  type Session,
  type Store,
} from 'throughline'
import { exportSession } from 'throughline/formats'
import { sqliteStore } from 'throughline/sqlite'
import { codingSession } from './session.ts'
import { spreadOf, type Spread } from './spread.ts'
import { exactly, tell } from './tell.ts'

const steps = 20_000
const goal = 50
const window = { context: 200_000 }

/** What an agent does with a long session, in the order in which it does it. */
const works: readonly [name: string, work: (session: Session, store: Store) => Promise<unknown>][] =
  [
    ['the first compaction after opening it', (session) => session.compact()],
    ['the next one', (session) => session.compact()],
    ['the history', (session) => session.history()],
    ['undo', (session) => session.undo()],
    ['a pin', (session) => session.pin('Never touch module7.')],
    ['a plan', (session) => session.plan()],
    ['a search', (_, store) => recall(store, 'long', { words: 'module7 session' })],
    ['an export', (_, store) => exported(store)],
    ['1,000 appends without a pause, each with the gate', (session) => goneOn(session)],
    ['a redaction', (session) => session.redact({ text: 'src/module5/file5.ts' })],
  ]

/**
 * The longest time for which a process does nothing else while a session of 20,000 steps is worked
 * with, in milliseconds of its own processor time: other load on the machine doesn't count.
 */
export async function benchBlocks(rounds = 3): Promise<Map<string, Spread>> {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-blocks-'))
  const measured = new Map<string, number[]>()
  try {
    for (let round = 0; round < rounds; round++) {
      const file = join(folder, `store-${round}.db`)
      await fill(file)
      const store = sqliteStore({ file })
      let session: Session | undefined
      const note = (name: string, block: number): void => {
        measured.set(name, [...(measured.get(name) ?? []), block])
      }
      note(
        'opening it',
        await longestBlock(async () => {
          session = await openSession({ store, id: 'long', window })
          session.messages()
        }),
      )
      for (const [name, work] of works) {
        note(name, await longestBlock(() => work(session as Session, store)))
      }
      const drafts = codingSession(30_000, 100)
      note(
        '30,000 entries in one append, and the gate',
        await longestBlock(() => begunAtOnce(drafts)),
      )
      await session?.close()
      store.close()
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
  const figures = new Map([...measured].map(([name, blocks]) => [name, spreadOf(blocks)]))
  for (const [name, figure] of figures) {
    tell({
      what: `a process is blocked by work on ${steps.toLocaleString('en')} steps: ${name}`,
      figure,
      unit: 'ms',
      goal: { most: goal },
      limit: { figure: exactly(0), what: 'work that can always give way' },
      digits: 0,
    })
  }
  return figures
}

async function exported(store: Store): Promise<number> {
  let characters = 0
  for await (const line of exportSession(store, 'long')) characters += line.length
  return characters
}

async function goneOn(session: Session): Promise<void> {
  for (const draft of codingSession(1_000, 100)) {
    await session.append(draft)
    await session.fit()
  }
}

/** A host's own history, given to a new session at once. */
async function begunAtOnce(drafts: readonly EntryDraft[]): Promise<void> {
  const session = await openSession({ store: memoryStore(), id: 'new', window })
  await session.append(...drafts)
  await session.fit()
  await session.close()
}

async function fill(file: string): Promise<void> {
  const store = sqliteStore({ file })
  const drafts = codingSession(2 * steps, 100)
  for (let at = 0; at < drafts.length; at += 500) {
    await store.append('long', drafts.slice(at, at + 500))
  }
  store.close()
}

/** The longest turn of the event loop, in processor time of this thread. */
async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let before = process.threadCpuUsage()
  let over = false
  const turn = (): void => {
    const now = process.threadCpuUsage(before)
    longest = Math.max(longest, now.user + now.system)
    before = process.threadCpuUsage()
    if (!over) setImmediate(turn)
  }
  turn()
  longest = 0
  await work()
  over = true
  turn()
  return longest / 1_000
}

if (process.argv[1] === import.meta.filename) await benchBlocks()
