import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll } from 'vitest'

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** A new folder for a test, removed after all tests. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-harnesses-'))
  folders.push(folder)
  return folder
}

/** Writes a file, with its folders, as if it had been written at that time. */
export function put(file: string, text: string, at = Date.UTC(2026, 0, 1)): string {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  utimesSync(file, at / 1000, at / 1000)
  return file
}
