import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { clientRecordFile, readClientRecords, writeClientRecord } from './record.ts'
import type { ClientRecord } from './record.ts'

const root = mkdtempSync(join(tmpdir(), 'throughline-records-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let folders = 0
function freshEnvironment(): { XDG_DATA_HOME: string } {
  return { XDG_DATA_HOME: join(root, `${folders++}`) }
}

const done: ClientRecord = {
  at: 5,
  client: 'opencode',
  version: '1.18.33',
  session: 'ses_1',
  event: 'compaction',
  by: 'client-model',
  before: 90_000,
  after: 20_000,
  ms: 12,
}

test('what a plugin did is read back, oldest first, each client by itself', () => {
  const env = freshEnvironment()
  const aside: ClientRecord = { at: 6, client: 'opencode', event: 'step-aside', reason: 'off' }
  expect(readClientRecords('opencode', env)).toEqual([])
  expect(writeClientRecord(done, env)).toBe(true)
  writeClientRecord(aside, env)
  writeClientRecord({ at: 7, client: 'pi', event: 'start' }, env)
  expect(readClientRecords('opencode', env)).toEqual([done, aside])
  expect(readClientRecords('pi', env)).toEqual([{ at: 7, client: 'pi', event: 'start' }])
})

test('lines that are no records are left out, and a reason is one line', () => {
  const env = freshEnvironment()
  writeClientRecord({ at: 1, client: 'pi', event: 'error', reason: 'one\n  two' }, env)
  appendFileSync(
    clientRecordFile('pi', env) ?? '',
    'torn {\n[]\n{"at":2,"event":"other"}\n{"at":"x","event":"start"}\n{"at":3,"event":"start","ms":-1,"by":"me"}\n',
  )
  expect(readClientRecords('pi', env)).toEqual([
    { at: 1, client: 'pi', event: 'error', reason: 'one two' },
    { at: 3, client: 'pi', event: 'start' },
  ])
})

test('where nothing can be written, the client goes on', () => {
  const env = freshEnvironment()
  mkdirSync(env.XDG_DATA_HOME, { recursive: true })
  writeFileSync(join(env.XDG_DATA_HOME, 'throughline'), 'a file where the folder would be')
  expect(writeClientRecord(done, env)).toBe(false)
  expect(writeClientRecord(done, {})).toBe(false)
  expect(readClientRecords('opencode', {})).toEqual([])
})

test('a file that has grown too long begins anew, and the one before is kept', () => {
  const env = freshEnvironment()
  const file = clientRecordFile('opencode', env) ?? ''
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${'x'.repeat(1_000_001)}\n`)
  writeClientRecord(done, env)
  expect(readClientRecords('opencode', env)).toEqual([done])
  expect(existsSync(`${file}.old`)).toBe(true)
})
