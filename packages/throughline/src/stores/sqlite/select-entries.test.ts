import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { draft } from '../../testing/conformance/store-drafts.ts'
import { nodeSqlite } from './connection/node-sqlite.ts'
import { selectEntries } from './select-entries.ts'
import { sqliteStore } from './sqlite-store.ts'
import { Statements, type Row } from './statements.ts'
import type { SQLInputValue } from 'node:sqlite'
import type { Selection } from '../../session/store.ts'

const folder = mkdtempSync(join(tmpdir(), 'throughline-select-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Statements that ask SQLite how it finds the rows. */
class Explaining extends Statements {
  plan = ''

  override each(sql: string, ...values: SQLInputValue[]): Generator<Row> {
    const steps = super.all(`EXPLAIN QUERY PLAN ${sql}`, ...values)
    this.plan = steps.map(({ detail }) => String(detail)).join('\n')
    return super.each(sql, ...values)
  }
}

async function planOf(selection: Selection): Promise<string> {
  const file = join(folder, `${JSON.stringify(selection).replaceAll(/\W+/g, '-')}.db`)
  const store = sqliteStore({ file })
  await store.append('a', [draft('1'), { kind: 'pin', at: 0, text: '2' }])
  store.close()
  const database = new (nodeSqlite().DatabaseSync)(file)
  const statements = new Explaining(database, file)
  await selectEntries(statements, 'a', selection, () => undefined)
  database.close()
  return statements.plan
}

const ranges: readonly Selection[] = [
  {},
  { after: 1, upTo: 9 },
  { newest: 1 },
  { after: 1, newest: 1 },
  { kinds: ['message'], newest: 5 },
]

test.each(ranges)('%j is read from its place in the order on', async (selection) => {
  expect(await planOf(selection)).toMatch(/^SEARCH places USING PRIMARY KEY \(session=\? AND seq>/)
})

test('seqs are looked up one by one', async () => {
  expect(await planOf({ seqs: [1, 2], upTo: 9 })).toMatch(
    /^SEARCH places USING PRIMARY KEY \(session=\? AND seq=/,
  )
})

const kinds: readonly Selection[] = [
  { kinds: ['pin', 'unpin', 'rewind', 'observation'], upTo: 9 },
  { kinds: ['checkpoint'], after: 1, upTo: 9, newest: 1 },
]

test.each(kinds)('%j is found without reading a message', async (selection) => {
  expect(await planOf(selection)).toMatch(/^SEARCH places USING INDEX kinds \(session=\? AND kind=/)
})
