import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { full } from '../../testing/generate/runs.ts'
import { sqliteStore } from './sqlite-store.ts'
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

it('several processes may make a store at the same moment', async () => {
  const files = Array.from({ length: rounds }, (_, round) => join(root, `${round}.db`))
  expect(await openTogether(files)).toBe('')
  for (const file of files) expect(await writersOf(file)).toEqual(names.toSorted())
})
