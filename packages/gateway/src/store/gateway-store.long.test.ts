import { mkdtempSync, readFileSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, describe, expect, it, test } from 'vitest'
import { storeConformance } from 'throughline/testing'
import { gatewayStoreConformance } from './gateway-store-conformance.ts'
import { memoryGatewayStore, sqliteGatewayStore } from './sqlite-gateway-store.ts'
import type { GatewayStore, Mark, World } from './gateway-store.ts'

const open: GatewayStore[] = []

afterEach(async () => {
  await Promise.all(open.splice(0).map((store) => store.close()))
})

function folder(): string {
  return mkdtempSync(join(tmpdir(), 'throughline-gateway-'))
}

function opened(store: GatewayStore): GatewayStore {
  open.push(store)
  return store
}

describe.each([
  ['in memory', memoryGatewayStore],
  ['in SQLite', () => sqliteGatewayStore({ folder: folder() })],
])('a gateway’s store %s', (_, create) => {
  for (const { name, run } of gatewayStoreConformance) {
    test(name, () => run(async () => opened(create())))
  }
  for (const { name, run } of storeConformance) {
    test(`its logs: ${name}`, () => run(async () => opened(create()).logs))
  }
})

describe('a store in SQLite', () => {
  it('is the same for another process, with its secret', async () => {
    const place = folder()
    const first = opened(sqliteGatewayStore({ folder: place }))
    const world = 'w' as World
    const row = { id: 'a', world, instructions: '', model: 'm', created: 1, used: 1 }
    await first.begin(row, { marks: ['1' as Mark], at: 1 })
    const second = opened(sqliteGatewayStore({ folder: place }))
    expect(await second.find(world, ['1' as Mark])).toEqual({
      session: row,
      mark: '1',
      newest: true,
    })
    expect(await second.secret()).toEqual(await first.secret())
    expect(readdirSync(place)).toEqual(expect.arrayContaining(['gateway.db', 'sessions.db']))
    expect(readFileSync(join(place, 'sessions.db')).subarray(0, 6).toString()).toBe('SQLite')
  })
  it('goes on where a newer version has added tables and columns, and so does the newer one then', async () => {
    const place = folder()
    const world = 'w' as World
    const row = { id: 'a', world, instructions: '', model: 'm', created: 1, used: 1 }
    await opened(sqliteGatewayStore({ folder: place })).begin(row, { marks: marked('1'), at: 1 })
    change(place, 'CREATE TABLE later (one TEXT); ALTER TABLE sessions ADD COLUMN more TEXT')
    change(place, "INSERT INTO later VALUES ('kept'); UPDATE sessions SET more = 'kept'")
    const old = opened(sqliteGatewayStore({ folder: place }))
    expect(await old.find(world, marked('1'))).toMatchObject({ session: row })
    expect(await old.move('a', '1' as Mark, { marks: marked('2'), at: 2 })).toBe(true)
    await old.begin({ ...row, id: 'b' }, { marks: marked('3'), at: 3 })
    const database = new DatabaseSync(join(place, 'gateway.db'))
    expect(database.prepare('SELECT one FROM later').get()).toEqual({ one: 'kept' })
    const more = database.prepare('SELECT id, more FROM sessions ORDER BY id').all()
    expect(more).toEqual([
      { id: 'a', more: 'kept' },
      { id: 'b', more: null },
    ])
    database.close()
  })

  it('leaves alone what only a newer version can use, and says so', () => {
    const place = folder()
    opened(sqliteGatewayStore({ folder: place }))
    change(place, 'PRAGMA user_version = 99')
    expect(() => sqliteGatewayStore({ folder: place })).toThrow(/version 99.*Update Throughline/)
    const database = new DatabaseSync(join(place, 'gateway.db'))
    expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: 99 })
    database.close()
  })
})

function change(place: string, sql: string): void {
  const database = new DatabaseSync(join(place, 'gateway.db'))
  database.exec(sql)
  database.close()
}

function marked(...names: string[]): Mark[] {
  return names as Mark[]
}
