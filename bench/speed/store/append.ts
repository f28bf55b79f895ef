import { sqliteStore } from 'throughline/sqlite'
import { printSpread, spreadOf, type Spread } from '../spread.ts'
import { tell } from '../tell.ts'
import { bareAppend, bareDatabase, bareSplitAppend } from './bare.ts'
import type { EntryDraft, Store } from 'throughline'

const rounds = 12
const warmUp = 2

/**
 * The store's `append` compared with bare `node:sqlite` and the same rows: the same appends, one
 * transaction each, alternately. Beside it stands bare `node:sqlite` with the store's own two
 * tables. The store's file is kept for the next measurement.
 */
export async function benchAppend(
  appends: readonly (readonly EntryDraft[])[],
  files: { store: string; bare: string; split: string },
): Promise<Spread> {
  const store = sqliteStore({ file: files.store })
  const database = bareDatabase(files.bare)
  const splitDatabase = bareDatabase(files.split)
  const append = bareAppend(database)
  const appendSplit = bareSplitAppend(splitDatabase)
  const [ours, bare, split]: [number[], number[], number[]] = [[], [], []]
  for (let round = 0; round < rounds; round++) {
    const [from, to] = [round, round + 1].map((at) => Math.floor((appends.length * at) / rounds))
    const part = appends.slice(from, to)
    const appendAll = (): Promise<void> => appendTo(store, part)
    const appendBare = async (): Promise<void> => part.forEach(append)
    const count = part.reduce((sum, drafts) => sum + drafts.length, 0)
    globalThis.gc?.()
    // Each goes first in turn.
    if (round % 2 === 0) ours.push(count / (await seconds(appendAll)))
    bare.push(count / (await seconds(appendBare)))
    split.push(count / (await seconds(async () => part.forEach(appendSplit))))
    if (round % 2 === 1) ours.push(count / (await seconds(appendAll)))
  }
  database.close()
  splitDatabase.close()
  store.close()
  const [ratio, possible] = [besideBare(ours), besideBare(split)]
  const [stored, written] = [ours, bare].map((rates) =>
    printSpread(spreadOf(rates.slice(warmUp)), 0),
  )
  tell({
    what: 'append to the SQLite store, one transaction per step, by the speed of bare node:sqlite',
    figure: ratio,
    unit: '×',
    goal: { least: 0.8 },
    limit: {
      figure: possible,
      what: 'bare node:sqlite with the store’s two tables and its log of half the length',
    },
  })
  console.log(`  ${stored} vs. ${written} entries/s`)
  return ratio

  function besideBare(rates: readonly number[]): Spread {
    return spreadOf(
      rates.slice(warmUp).map((rate, round) => rate / (bare[round + warmUp] ?? Number.NaN)),
    )
  }
}

async function appendTo(store: Store, appends: readonly (readonly EntryDraft[])[]): Promise<void> {
  let newest = (await store.sessions())[0]?.newest ?? 0
  for (const drafts of appends) {
    const entries = await store.append('a', drafts, { newest })
    newest += entries.length
  }
}

async function seconds(work: () => Promise<void>): Promise<number> {
  const before = performance.now()
  await work()
  return (performance.now() - before) / 1_000
}
