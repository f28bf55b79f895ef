import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { apiWriters } from '../harnesses.ts'
import { arbitrarySession } from '../../testing/generate/session.ts'
import { compactLog } from '../../session/once/compact-log.ts'
import {
  corpusFiles,
  corpusIsHere,
  corpusMissing,
  readCorpusFile,
} from '../../testing/generate/corpus.ts'
import { readDocument, requestProblems, requestSubstance } from '../testing/api-requests.ts'
import { recordFigure } from '../../testing/record-figure.ts'
import { runs } from '../../testing/generate/runs.ts'
import { testIdentity } from '../../testing/conformance/writer-conformance.ts'
import { writtenOf } from '../testing/written-of.ts'
import { writtenSession } from './written-session.ts'

const session = fc
  .tuple(arbitrarySession(), fc.constantFrom('whole' as const, 'compacted' as const))
  .map(([drafts, form]) => writtenOf(drafts, form, { system: 'Be brief.', model: 'claude-x' }))

describe.each(apiWriters)('$name', (writer) => {
  it('reads back what was written, told by its content alone', async () => {
    let count = 0
    await fc.assert(
      fc.asyncProperty(session, async (wanted) => {
        const written = await wanted
        const read = await readDocument(writer.write(written, testIdentity()).text)
        expect(requestSubstance(writer.name, read)).toEqual(requestSubstance(writer.name, written))
        expect(read.facts.system).toBe(writer.name === 'ai-sdk' ? undefined : 'Be brief.')
        count += 1
      }),
      runs(40),
    )
    recordFigure({ what: 'round trip', format: writer.name, count })
  })

  it('writes what its API takes, and the same for the same session', async () => {
    await fc.assert(
      fc.asyncProperty(session, async (wanted) => {
        const written = await wanted
        const { text } = writer.write(written, testIdentity())
        expect(await requestProblems(writer.name, text)).toEqual([])
        expect(writer.write(written, testIdentity()).text).toBe(text)
      }),
      runs(40),
    )
  })
})

const harnesses = ['claude-code', 'codex', 'copilot-cli', 'gemini-cli', 'opencode', 'pi']

describe.skipIf(!corpusIsHere)(corpusIsHere ? 'for every API' : corpusMissing, () => {
  it.each(corpusFiles(harnesses))('$format: $name is legal, and read back', async (file) => {
    const { log, facts } = await readCorpusFile(file)
    const compacted = await compactLog(log, { window: { context: 200_000 }, trigger: 'manual' })
    for (const written of [writtenSession(log, facts), writtenSession(compacted.log, facts)]) {
      for (const { name, write } of apiWriters) {
        const { text } = write(written, testIdentity())
        expect(await requestProblems(name, text), name).toEqual([])
        const read = requestSubstance(name, await readDocument(text))
        expect(read, name).toEqual(requestSubstance(name, written))
      }
    }
  })
})
