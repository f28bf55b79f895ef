import { describe, expect, it } from 'vitest'
import { circuit } from './circuit.ts'
import { PostgresError, type PostgresFailure } from './errors.ts'

function begun() {
  let now = 0
  let asked = 0
  const guarded = circuit({ pause: 1_000, patience: 6_000, clock: () => now })
  const call = (failure?: PostgresFailure): Promise<string> =>
    guarded(async () => {
      asked += 1
      if (failure) throw new PostgresError({ failure, problem: 'as scripted' })
      return 'done'
    }).catch((error: PostgresError) => error.failure)
  return { call, guarded, pass: (ms: number) => void (now += ms), asked: () => asked }
}

describe('a database that does not answer', () => {
  it('is asked by one call in a pause, until that goes through', async () => {
    const { call, pass, asked } = begun()
    expect(await call('unreachable')).toBe('unreachable')
    for (let times = 0; times < 5; times++) expect(await call()).toBe('unreachable')
    expect(asked()).toBe(1)
    pass(1_001)
    const both = [call('unreachable'), call('unreachable')]
    expect(await Promise.all(both)).toEqual(['unreachable', 'unreachable'])
    expect(asked()).toBe(2)
    pass(1_001)
    expect([await call(), await call()]).toEqual(['done', 'done'])
    expect(asked()).toBe(4)
  })

  it('keeps no call waiting once several have hung, whatever went well beside them', async () => {
    const { call, guarded, pass, asked } = begun()
    let end: (value: string) => void = () => {}
    const beside = guarded(() => new Promise<string>((resolve) => (end = resolve)))
    expect([await call('slow'), await call(), await call('slow')]).toEqual(['slow', 'done', 'slow'])
    expect(await call('slow')).toBe('slow')
    const before = asked()
    expect(await call()).toBe('slow')
    end('done')
    await beside
    expect(await call()).toBe('slow')
    expect(asked()).toBe(before)
    pass(1_001)
    expect([await call(), await call()]).toEqual(['done', 'done'])
  })

  it('is asked on where one statement hangs now and then, or is refused', async () => {
    const { call, pass } = begun()
    for (let times = 0; times < 5; times++) {
      expect(await call('slow')).toBe('slow')
      expect(await call('failed')).toBe('failed')
      expect(await call('full')).toBe('full')
      expect(await call()).toBe('done')
      pass(3_001)
    }
  })
})
