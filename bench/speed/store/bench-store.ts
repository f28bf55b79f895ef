import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { progress } from '../progress.ts'
import { benchAppend } from './append.ts'
import { benchMemory } from './memory.ts'
import { benchManySessions } from './many-sessions.ts'
import { benchOpen } from './open.ts'
import { benchRecall } from './recall.ts'
import { recordedAppends } from './recorded-appends.ts'

const long = 100_000

/** The SQLite store compared with bare `node:sqlite`; recall in this many bytes of text. */
export async function benchStore({ recall }: { recall: number }): Promise<void> {
  await inFolder(async (files) => {
    progress(`store: an agent works until its session has ${long.toLocaleString('en')} entries`)
    const appends = await recordedAppends(long)
    progress('store: append')
    await benchAppend(appends, files)
    progress('store: open')
    await benchOpen(files)
    benchMemory(files.store)
  })
  progress('store: many sessions')
  await inFolder(async (files) => {
    await benchManySessions(files.store)
  })
  await inFolder((files) => benchRecall(recall, files))
}

/** Files that are removed afterwards. */
async function inFolder(
  work: (files: { store: string; bare: string; split: string }) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-bench-store-'))
  try {
    const file = (name: string): string => join(folder, `${name}.db`)
    await work({ store: file('store'), bare: file('bare'), split: file('split') })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

if (process.argv[1] === import.meta.filename) {
  await benchStore({ recall: process.argv.includes('--gigabyte') ? 1e9 : 1e8 })
}
