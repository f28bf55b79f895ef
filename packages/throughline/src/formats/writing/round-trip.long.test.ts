import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compactLog } from '../../session/once/compact-log.ts'
import { logOf } from '../../testing/conformance/format-conformance.ts'
import { runs } from '../../testing/generate/runs.ts'
import { assistant, call, harness, human } from '../../testing/generate/build.ts'
import { arbitrarySession } from '../../testing/generate/session.ts'
import { recordFigure } from '../../testing/record-figure.ts'
import { readSession } from '../reading/read-session.ts'
import { readBack, substance, testIdentity } from '../../testing/conformance/writer-conformance.ts'
import { writers } from '../testing/writers.ts'
import { writtenSession } from './written-session.ts'
import type { EntryDraft } from '../../log/entry.ts'
import type { WrittenSession } from './format-writer.ts'

async function written(drafts: readonly EntryDraft[], compacted: boolean): Promise<WrittenSession> {
  const read = logOf(drafts)
  if (!compacted) return writtenSession(read, {})
  const { log } = await compactLog(read, { window: { context: 1e6 }, trigger: 'manual' })
  return writtenSession(log, {})
}

/** The human only sends an image, and the harness speaks behind them. */
const wordless: EntryDraft[] = [
  human([
    { type: 'text', text: '' },
    { type: 'image', image: 'AA', mediaType: 'image/png' },
  ]),
  harness('fix the parser in src/parser.ts so that parseHeader accepts tabs'),
  assistant([]),
  assistant([call('pending-2', 'bash')]),
]

describe.each(writers)('$writer.name', ({ writer, format }) => {
  it('reads back what was written, whatever the session held', async () => {
    let count = 0
    await fc.assert(
      fc.asyncProperty(arbitrarySession(), fc.boolean(), async (drafts, compacted) => {
        const session = await written(drafts, compacted)
        expect(substance(await readBack(writer, format, session))).toEqual(substance(session))
        count += 1
      }),
      { ...runs(40), examples: [[wordless, false]] },
    )
    recordFigure({ what: 'round trip', format: writer.name, count })
  })

  it('names no model where the session names none', async () => {
    const content = [{ type: 'text' as const, text: 'Done.' }]
    const { text } = writer.write(
      {
        messages: [
          { message: { role: 'user', content: 'Go.' }, origin: 'human', at: 1 },
          { message: { role: 'assistant', content }, origin: 'model', at: 2 },
        ],
        facts: {},
      },
      testIdentity(),
    )
    const { facts, log } = await readSession([text], { formats: [format] })
    expect(facts.model).toBeUndefined()
    for (const entry of log) expect(entry).not.toMatchObject({ model: expect.anything() })
  })

  it('writes the same text for the same session, and no usage that counts', async () => {
    await fc.assert(
      fc.asyncProperty(arbitrarySession(), async (drafts) => {
        const session = await written(drafts, true)
        const { text } = writer.write(session, testIdentity())
        expect(writer.write(session, testIdentity()).text).toBe(text)
        for (const [, count] of text.matchAll(/"\w*_?tokens":(\d+)/gi)) {
          expect(count).toBe('0')
        }
      }),
      runs(10),
    )
  })
})
