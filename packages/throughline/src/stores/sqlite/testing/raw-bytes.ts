import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/**
 * All that stands in the files of a store, byte by byte as Latin letters. Another process reads
 * them: to close a file here would take away the locks that an open store has on it.
 */
export function rawBytes(file: string): string {
  const files = [file, `${file}-wal`, `${file}-shm`, `${file}-journal`].filter((each) =>
    existsSync(each),
  )
  return execFileSync('cat', files, { encoding: 'latin1', maxBuffer: 1e9 })
}

/** Which of these texts stand in the bytes, in large or small letters. */
export function textsFound(bytes: string, texts: readonly string[]): string[] {
  const small = bytes.toLowerCase()
  return texts.filter((text) => small.includes(Buffer.from(text.toLowerCase()).toString('latin1')))
}
