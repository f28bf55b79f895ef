import { describe, expect, test } from 'vitest'
import { compactLog } from '../../session/once/compact-log.ts'
import {
  corpusFiles,
  corpusIsHere,
  corpusMissing,
  readCorpusFile,
} from '../../testing/generate/corpus.ts'
import { readBack, substance } from '../../testing/conformance/writer-conformance.ts'
import { writers } from '../testing/writers.ts'
import { writtenSession } from './written-session.ts'

const origins = ['claude-code', 'codex', 'copilot-cli', 'gemini-cli', 'opencode', 'pi']

describe.skipIf(!corpusIsHere)(`whatever harness a session is of, ${corpusMissing}`, () => {
  test.each(corpusFiles(origins))('$format: $name is read back', async (file) => {
    const { log, facts } = await readCorpusFile(file)
    const compacted = await compactLog(log, { window: { context: 200_000 }, trigger: 'manual' })
    for (const session of [writtenSession(log, facts), writtenSession(compacted.log, facts)]) {
      for (const { writer, format } of writers) {
        const read = await readBack(writer, format, session)
        expect(substance(read), writer.name).toEqual(substance(session))
      }
    }
  })
})
