import { createReadStream, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { corpusFolder } from '../../testing/generate/corpus.ts'
import { formats } from '../formats.ts'
import { readSession } from '../reading/read-session.ts'

/** What came of reading the real sessions of one format. */
export interface CorpusReading {
  format: string
  files: number
  entries: number
  /** Where a record was not one whole record: the file, its line, and how many were read of it. */
  skipped: { file: string; line: number; read: number }[]
}

/** Reads every real session that there is, told by its content alone. */
export async function readCorpus(): Promise<CorpusReading[]> {
  const names = new Set(formats.map(({ name }) => name))
  const folders = readdirSync(corpusFolder).filter((name) => names.has(name))
  return Promise.all(folders.toSorted().map(readFolder))
}

async function readFolder(format: string): Promise<CorpusReading> {
  const files = readdirSync(join(corpusFolder, format)).toSorted()
  const reading: CorpusReading = { format, files: files.length, entries: 0, skipped: [] }
  for (const file of files) {
    const read = await readSession(createReadStream(join(corpusFolder, format, file)))
    if (read.format !== format) throw new Error(`${file} is read as ${read.format}.`)
    reading.entries += read.log.length
    for (const { line, read: count } of read.skipped) {
      reading.skipped.push({ file, line, read: count })
    }
  }
  return reading
}
