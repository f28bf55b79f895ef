import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { human, step } from '../testing/generate/build.ts'
import { retainedBytes } from '../testing/retained-bytes.ts'
import { sqliteStore } from '../stores/sqlite/index.ts'
import { openSession, type Session } from './session.ts'

const output = Array.from({ length: 60 }, (_, at) => `  const value${at} = compute(${at})`).join(
  '\n',
)

/** An agent that reads one file after another, of so many, and goes round. */
async function work(session: Session, from: number, to: number, files: number): Promise<void> {
  for (let at = from; at < to; at++) {
    const path = `src/module/file${at % files}.ts`
    if (at % 50 === 0) await session.append(human('Go on with the next ones.'))
    await session.append(...step(`call${at}`, 'Read', { file_path: path }, `// ${path}\n${output}`))
    await session.fit()
    session.messages()
  }
}

async function samples(files: number): Promise<number[]> {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-memory-'))
  const store = sqliteStore({ file: join(folder, 'store.db') })
  const session = await openSession({ store, id: 'a', window: { context: 16_000 } })
  const taken: number[] = []
  for (let at = 0; at < 2_400; at += 200) {
    await work(session, at, at + 200, files)
    taken.push(retainedBytes())
  }
  const { size } = (await session.facts()).files
  // Of more than a thousand that were only read, some are forgotten.
  if (files <= 1_000) expect(size).toBe(files)
  else expect(size).toBeLessThanOrEqual(1_500)
  store.close()
  rmSync(folder, { recursive: true })
  return taken
}

function middle(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
}

test('a session takes no more memory as it gets longer, where it says nothing new', async () => {
  const taken = await samples(100)
  // A call of which something stays holds its output, too: 1,200 of them are over 2 MB.
  expect(middle(taken.slice(-4)) - middle(taken.slice(2, 6))).toBeLessThan(2_000_000)
})

test('what is new takes about a kilobyte: a file, its name, and where both stand', async () => {
  const taken = await samples(10_000)
  const each = (middle(taken.slice(-4)) - middle(taken.slice(0, 4))) / 1_600
  expect(each).toBeLessThan(1_500)
})
