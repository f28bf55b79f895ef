import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { full } from '../../testing/generate/runs.ts'
import { draft } from '../../testing/store-drafts.ts'
import { sqliteStore } from './sqlite-store.ts'
import { writeOlderStore } from './testing/older-store.ts'
import { scratchFolder } from './testing/scratch.ts'

const root = scratchFolder()
const script = join(import.meta.dirname, 'testing/open-together.ts')
const names = ['one', 'two', 'three', 'four']
const rounds = full ? 60 : 12

/** Lets several processes open and write each of the files at the same moment. */
async function openTogether(files: readonly string[]): Promise<string> {
  const children = names.map((name) =>
    spawn(process.execPath, [script, name, ...files], { stdio: ['pipe', 'pipe', 'inherit'] }),
  )
  await Promise.all(children.map(({ stdout }) => once(stdout, 'data')))
  const start = Date.now() + 20
  for (const { stdin } of children) stdin.end(`${start}\n`)
  return (await Promise.all(children.map(({ stdout }) => text(stdout)))).join('')
}

async function writersOf(file: string): Promise<string[]> {
  using store = sqliteStore({ file })
  return (await store.sessions()).map(({ id }) => id).toSorted()
}

it('several processes may make a store, or bring an old one up to date, at the same moment', async () => {
  const files = Array.from({ length: rounds }, (_, round) => join(root, `${round}.db`))
  // Every third is new.
  const versions = files.map((_, round) => (round % 3) as 0 | 1 | 2)
  for (const [round, file] of files.entries()) {
    const version = versions[round]
    if (version) writeOlderStore(file, version, { old: [draft('1'), draft('2')] })
  }
  expect(await openTogether(files)).toBe('')
  for (const [round, file] of files.entries()) {
    expect(await writersOf(file)).toEqual(
      [...names, ...(versions[round] ? ['old'] : [])].toSorted(),
    )
  }
})
