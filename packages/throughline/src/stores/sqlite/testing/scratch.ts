import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** A folder for the files of one test file; removed afterwards. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-store-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  return folder
}
