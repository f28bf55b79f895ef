import { createReadStream, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readSession, type SessionRead } from '../../formats/reading/read-session.ts'
import { full } from './runs.ts'

/** Real sessions, next to the repository; a user's clone has none. */
export const corpusFolder = join(import.meta.dirname, '../../../../../../shared/corpus')

export const corpusIsHere = existsSync(corpusFolder)

/** Shown by tests that are skipped without it. */
export const corpusMissing = `real sessions (skipped: there is no folder ${'../shared/corpus'} next to the repository)`

export interface CorpusFile {
  format: string
  name: string
  path: string
}

/** The files of some formats: the first two of each, or all with `npm run test:full`. */
export function corpusFiles(formats: readonly string[] = ['claude-code', 'codex']): CorpusFile[] {
  if (!corpusIsHere) return []
  return formats.flatMap((format) =>
    readdirSync(join(corpusFolder, format))
      .toSorted()
      .slice(0, full ? undefined : 2)
      .map((name) => ({ format, name, path: join(corpusFolder, format, name) })),
  )
}

export function readCorpusFile({ path }: CorpusFile): Promise<SessionRead> {
  return readSession(createReadStream(path))
}
