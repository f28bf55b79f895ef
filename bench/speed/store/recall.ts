import { sqliteStore, type SqliteStore } from 'throughline/sqlite'
import { atLeast } from '../goal.ts'
import { progress } from '../progress.ts'
import { printSpread, spreadOf } from '../spread.ts'
import { exactly, tell } from '../tell.ts'
import { agentEntries } from './agent.ts'
import { bareAppend, bareDatabase, bareIndexing, bareSearch } from './bare.ts'
import { matchOf, questionsFor, type Question } from './questions.ts'
import type { DatabaseSync } from 'node:sqlite'

const rounds = 10
const warmUp = 1
const appended = 500
const limit = 20

/**
 * Recall in one long session: updating its full-text index and searching it, compared with bare
 * `node:sqlite` and the same table, rows and queries. Texts are made as they are written.
 */
export async function benchRecall(
  bytes: number,
  files: { store: string; bare: string },
): Promise<void> {
  const store = sqliteStore({ file: files.store })
  const database = bareDatabase(files.bare)
  const entries = await benchIndexing(bytes, store, database)
  await benchQueries(entries, store, database)
  database.close()
  store.close()
}

/** The session grows in rounds; after each round, both update their index. */
async function benchIndexing(
  bytes: number,
  store: SqliteStore,
  database: DatabaseSync,
): Promise<number> {
  const [append, index] = [bareAppend(database), bareIndexing(database)]
  const drafts = agentEntries()
  const [ours, bare]: [number[], number[]] = [[], []]
  let entries = 0
  for (let round = 0; round < rounds; round++) {
    progress(`recall: round ${round + 1} of ${rounds}, ${entries.toLocaleString('en')} entries`)
    for (let written = 0; written < bytes / rounds;) {
      const next = Array.from({ length: appended }, () => drafts.next().value)
      written += next.reduce((sum, draft) => sum + JSON.stringify(draft).length, 0)
      await store.append('a', next)
      append(next)
      entries += next.length
    }
    globalThis.gc?.()
    const search = (): Promise<unknown> => find(store, [['nowhere']])
    // Each goes first in turn.
    if (round % 2 === 0) ours.push(await milliseconds(search))
    bare.push(await milliseconds(async () => index()))
    if (round % 2 === 1) ours.push(await milliseconds(search))
  }
  const ratio = spreadOf(ratios(bare, ours).slice(warmUp))
  const [stored, indexed] = [ours, bare].map((times) => (sum(times) / 1_000).toFixed(1))
  tell({
    what: `index ${entries.toLocaleString('en')} entries, ${(bytes / 1e6).toFixed(0)} MB, by the speed of bare FTS5`,
    figure: ratio,
    unit: '×',
    goal: { least: 0.7 },
    limit: { figure: exactly(1), what: 'SQLite alone, in batches of 1,000 entries' },
  })
  console.log(`  ${stored} vs. ${indexed} s in total`)
  return entries
}

async function benchQueries(
  entries: number,
  store: SqliteStore,
  database: DatabaseSync,
): Promise<void> {
  const search = bareSearch(database)
  const asked = Map.groupBy(questionsFor(Math.floor(entries / 2.1)), ({ what }) => what)
  for (const [what, questions] of asked) {
    const [ours, bare]: [number[], number[]] = [[], []]
    for (const question of questions) {
      const match = matchOf(question)
      bare.push(await milliseconds(async () => search(match, limit)))
      ours.push(await milliseconds(() => find(store, question.phrases)))
    }
    const ratio = spreadOf(ratios(bare, ours))
    const [found, searched] = [ours, bare].map((times) => printSpread(spreadOf(times)))
    console.log(
      `  find ${what}: ${printSpread(ratio)} × bare FTS5 ${atLeast(0.7, ratio)}, ${found} vs. ${searched} ms`,
    )
  }
}

function find(store: SqliteStore, phrases: Question['phrases']): Promise<number[]> {
  return store.search('a', { phrases, match: 'all', limit })
}

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now()
  await work()
  return performance.now() - before
}

/** The second's speed divided by the first's, round by round. */
function ratios(bare: readonly number[], ours: readonly number[]): number[] {
  return bare.map((time, round) => time / (ours[round] ?? Number.NaN))
}

function sum(times: readonly number[]): number {
  return times.reduce((total, time) => total + time, 0)
}
