import { describe, expect, it } from 'vitest'
import { checkAnswers, checkFolder, checkPlace } from './store-place.ts'
import { GatewayConfigError } from './config.ts'

describe('a place for sessions', () => {
  it('is a folder, or the address of a Postgres', () => {
    for (const place of [
      'sessions',
      '/var/lib/throughline',
      'C:/sessions',
      'C:\\sessions',
      ':memory:',
      'postgres://user:password@host/database',
      'postgresql://user:p%40ss@host:5433/database?sslmode=require',
    ]) {
      expect(() => checkPlace(place)).not.toThrow()
    }
  })

  it.each([
    'mysql://user:hunter2@host/database',
    'postgres:/user:hunter2@host',
    'postgres://user:hunter2@:99999/x',
    'redis://:hunter2@host',
  ])('is never a folder with the name of an address: %s', (place) => {
    expect(() => checkPlace(place)).toThrow(GatewayConfigError)
    expect(() => checkPlace(place)).toThrow(/postgres:\/\/user:password@host\/database/)
    expect(() => checkPlace(place)).not.toThrow(/hunter2/)
  })

  it('is a folder where one client has a gateway of its own', () => {
    expect(() => checkFolder('sessions')).not.toThrow()
    expect(() => checkFolder('postgres://user@host/database')).toThrow(/throughline serve/)
  })

  it('that was typed is told at once where nothing answers there', async () => {
    const nothing = checkAnswers('postgres://u:secret@127.0.0.1:1/x')
    await expect(nothing).rejects.toMatchObject({ code: 'GATEWAY_CONFIG' })
    await expect(nothing).rejects.toThrow('Postgres cannot be reached')
    await expect(nothing).rejects.not.toThrow('secret')
    await checkAnswers('a-folder')
  })
})
