import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { accountProblems } from './inside/own-account.ts'

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
const told = (by: Record<string, number>) => ({ client: 'pi', did: { compactions: 2, by } })

test.each([
  ['nothing where it is true', works, told({ local: 1, 'client-model': 1 }), 1, []],
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
    told({ 'client-model': 2 }),
    1,
    ['status of pi: 2 summaries by a model that was asked 1 times'],
  ],
  [
    'a model that is not told',
    works,
    told({ local: 2 }),
    3,
    ['status of pi: no summary by a model, which was asked 3 times'],
  ],
])('finds %s', async (_, doctor, status, asked, problems) => {
  const throughline = saying(doctor, status)
  const account = { throughline, home, name: 'pi', asked, isWhole: true }
  expect(await accountProblems(account)).toEqual(problems)
})
