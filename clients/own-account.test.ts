import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { accountProblems } from './inside/own-account.ts'
import { callProblems } from './inside/check.ts'

const home = mkdtempSync(join(tmpdir(), 'throughline-account-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

/** A command that says this of itself. */
function saying(doctor: object, status: object): string {
  const file = join(home, 'throughline.mjs')
  const all = { doctor: { clients: [doctor] }, status: { clients: [status] } }
  writeFileSync(file, `console.log(JSON.stringify(${JSON.stringify(all)}[process.argv[2]]))`)
  return file
}

const works = { client: 'pi', tried: [{ path: 'plugin', ms: 1 }] }
const told = (by: Record<string, number>, calls: Record<string, number> = {}) => ({
  client: 'pi',
  did: { compactions: 2, by, calls },
})

test.each([
  [
    'nothing where it is true',
    works,
    told({ local: 1, 'client-model': 1 }, { used: 1, late: 1 }),
    2,
    [],
  ],
  [
    'a path that does not work',
    { client: 'pi', tried: [{ path: 'plugin', problem: 'gone' }] },
    told({ local: 2 }),
    0,
    ['doctor: plugin: gone'],
  ],
  [
    'that nothing was tried',
    { client: 'pi', tried: [] },
    told({ local: 2 }),
    0,
    ['doctor tried nothing'],
  ],
  [
    'a model that nobody asked',
    works,
    told({ 'client-model': 2 }, { used: 2 }),
    1,
    ['status of pi: 2 summaries by a model that was asked 1 times'],
  ],
  [
    'requests that are not told',
    works,
    told({ local: 1, client: 1 }, { late: 1 }),
    3,
    ['status of pi: 2 requests for a summary, and 3 were made'],
  ],
])('finds %s', async (_, doctor, status, asked, problems) => {
  const throughline = saying(doctor, status)
  const account = { throughline, home, name: 'pi', asked, isWhole: true }
  expect(await accountProblems(account)).toEqual(problems)
})

test.each([
  ['each is told', 2, 0, []],
  ['one more was made', 3, 0, ['3 requests for a summary, and the records tell of 2']],
  ['that one is told with the next request', 3, 1, []],
  [
    'one that was used was never made',
    0,
    0,
    ['0 requests for a summary, and the records tell of 2'],
  ],
])('counts the requests for a summary: %s', (_, asked, toldAfter, problems) => {
  const records = [
    { event: 'call', call: 'a' },
    { event: 'call', call: 'a', became: 'used' },
    { event: 'compaction', by: 'client-model' },
    { event: 'call', call: 'b' },
  ]
  expect(callProblems(asked, records, { toldAfter })).toEqual(problems)
})
