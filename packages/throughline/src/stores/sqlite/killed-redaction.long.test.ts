import { spawnSync } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { full } from '../../testing/generate/runs.ts'
import { draft } from '../../testing/conformance/store-drafts.ts'
import { sqliteStore } from './sqlite-store.ts'
import { rawBytes, textsFound } from './testing/raw-bytes.ts'
import { scratchFolder } from './testing/scratch.ts'

const root = scratchFolder()
const secret = 'Zq7xK9wLmP2vB4'
const made = join(root, 'made.db')
const file = join(root, 'a.db')
const script = join(import.meta.dirname, 'testing/redact-and-die.ts')

beforeAll(async () => {
  using store = sqliteStore({ file: made })
  const texts = Array.from({ length: 60 }, (_, n) =>
    n % 7 === 3 ? `it is ${secret}, ${'words '.repeat(n * 9)}` : `${n} ${'words '.repeat(n)}`,
  )
  await store.append('a', texts.map(draft))
})

/** A redaction that is killed before its nth statement; how many there were if it was not. */
function killedBefore(nth: number): number {
  for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
  cpSync(made, file)
  const child = spawnSync(process.execPath, ['--no-warnings', script, file, secret, `${nth}`], {
    encoding: 'utf8',
  })
  expect([child.signal, child.stderr]).toEqual(['SIGKILL', ''])
  return Number(child.stdout)
}

it('a redaction that was killed at any statement left nothing in the files of the store that is opened again, or did nothing', async () => {
  const all = killedBefore(0)
  expect(all).toBeGreaterThan(20)
  let [done, undone] = [0, 0]
  // Each at the end, where it is committed, and some before.
  for (let nth = 1; nth <= all; nth += full || nth > all - 16 ? 1 : 9) {
    killedBefore(nth)
    using store = sqliteStore({ file })
    const bytes = rawBytes(file)
    const entries = await store.read('a')
    expect(entries.length).toBeGreaterThanOrEqual(62)
    if (JSON.stringify(entries).includes(secret)) {
      undone += 1
      continue
    }
    done += 1
    expect([nth, textsFound(bytes, [secret])]).toEqual([nth, []])
  }
  expect([done > 3, undone > 3]).toEqual([true, true])
})

it('a log that others still read stays, and the store opens', async () => {
  killedBefore(1)
  using one = sqliteStore({ file })
  await one.append('a', [draft('more')])
  using other = sqliteStore({ file })
  expect(await other.read('a')).toEqual(await one.read('a'))
})
