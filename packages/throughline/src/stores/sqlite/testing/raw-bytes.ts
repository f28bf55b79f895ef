import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/**
 * The entire content of the files of a store, byte by byte as Latin letters. Another process reads
 * them, because closing a file here would release the locks of an open store.
 */
export function rawBytes(file: string): string {
  const files = [file, `${file}-wal`, `${file}-shm`, `${file}-journal`].filter((each) =>
    existsSync(each),
  )
  return execFileSync('cat', files, { encoding: 'latin1', maxBuffer: 1e9 })
}

/** Which of these texts occur in the bytes, in upper or lower case. */
export function textsFound(bytes: string, texts: readonly string[]): string[] {
  const small = bytes.toLowerCase()
  return texts.filter((text) => small.includes(Buffer.from(text.toLowerCase()).toString('latin1')))
}
