import { expect, test } from 'vitest'
import { sqliteStore } from 'throughline/sqlite'
import { agentEntries } from './agent.ts'
import { bareAppend, bareDatabase, bareIndexing, bareSearch } from './bare.ts'
import { matchOf, questionsFor } from './questions.ts'

const limit = 1_000

test('the store and the bare database answer the same questions with the same entries', async () => {
  using store = sqliteStore({ file: ':memory:' })
  const database = bareDatabase(':memory:')
  const [append, index] = [bareAppend(database), bareIndexing(database)]
  const [drafts, steps] = [agentEntries(), 400]
  for (let appended = 0; appended < steps; appended++) {
    const next = [drafts.next().value, drafts.next().value]
    await store.append('a', next)
    append(next)
  }
  index()
  const search = bareSearch(database)
  for (const { what, phrases } of questionsFor(steps * 0.9)) {
    const found = await store.search('a', { phrases, match: 'all', limit })
    expect(new Set(found)).toEqual(new Set(search(matchOf({ what, phrases }), limit)))
    if (what === 'a rare identifier') expect(found).toHaveLength(2)
    if (what === 'two common words') expect(found.length).toBeGreaterThan(10)
  }
  database.close()
})
