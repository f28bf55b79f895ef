import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { main } from '../main.ts'
import { capturedIo, type Setting } from './captured-io.ts'

/** The result of one run of the command. */
export interface Ran {
  code: number
  out: string
  err: string
}

/** Runs the command in this process. */
export async function runMain(argv: readonly string[], setting: Setting = {}): Promise<Ran> {
  const { io, out, err } = capturedIo(setting)
  const code = await main(argv, io)
  return { code, out: out(), err: err() }
}

const directories: string[] = []
afterAll(() => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true })
})

/** A new directory in the system's temporary folder, removed after the tests. */
export function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'throughline-command-'))
  directories.push(directory)
  return directory
}

/** Writes a file into a new directory and returns its path. */
export function newFile(name: string, content: string | Uint8Array): string {
  const path = join(newDirectory(), name)
  writeFileSync(path, content)
  return path
}
