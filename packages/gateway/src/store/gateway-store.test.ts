import { mkdtempSync, readFileSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, test } from 'vitest'
import { storeConformance } from 'throughline/testing'
import { gatewayStoreConformance } from './gateway-store-conformance.ts'
import { memoryGatewayStore } from './memory-gateway-store.ts'
import { sqliteGatewayStore } from './sqlite-gateway-store.ts'
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
  ['in SQLite that is nowhere', () => sqliteGatewayStore({ folder: ':memory:' })],
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
})
