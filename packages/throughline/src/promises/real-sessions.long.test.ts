import { describe, expect, it } from 'vitest'
import { messageText } from '../log/message.ts'
import {
  corpusFiles,
  corpusIsHere,
  corpusMissing,
  readCorpusFile,
} from '../testing/generate/corpus.ts'
import { drive } from '../testing/generate/drive.ts'
import { illegalities } from '../testing/legal.ts'
import type { EntryDraft } from '../log/entry.ts'

/** What was said, without what the harness itself compacted. */
async function saidIn(file: ReturnType<typeof corpusFiles>[number]): Promise<EntryDraft[]> {
  const { log } = await readCorpusFile(file)
  return log.flatMap((entry): EntryDraft[] => {
    if (entry.kind !== 'message') return []
    const said = { ...entry }
    delete said.usage
    return [said]
  })
}

describe.skipIf(corpusIsHere)(corpusMissing, () => {
  it('are not needed to use Throughline', () => expect(corpusFiles()).toEqual([]))
})

describe.runIf(corpusIsHere)('the promises on real sessions', () => {
  it.each(
    corpusFiles(['claude-code', 'codex', 'opencode', 'pi']).flatMap((file) =>
      [32_000, 100_000].map((context) => ({ ...file, context })),
    ),
  )('$format $name in a window of $context', async ({ context, ...file }) => {
    const drafts = await saidIn(file)
    const { session, requests, error } = await drive(drafts, { window: { context } })
    expect(error).toBeUndefined()
    let compactions = 0
    for (const [index, request] of requests.entries()) {
      expect(request.tokens, 'G2: it fits').toBeLessThan(request.usable)
      if (request.report.action !== 'none') {
        compactions += 1
        expect(request.report.after, 'G3: it gets smaller').toBeLessThan(request.report.before)
        expect(illegalities(request.messages), 'G4: pairs').toEqual([])
      }
      const before = requests[index - 1]
      if (before?.changedAt === request.changedAt) {
        expect(request.messages.length, 'G9: grows at its end').toBeGreaterThanOrEqual(
          before.messages.length,
        )
        expect(request.messages[before.messages.length - 1]).toBe(before.messages.at(-1))
      }
    }
    expect(compactions).toBeGreaterThan(0)
    expect(
      (await session.history()).map(({ message }) => message),
      'G10: history',
    ).toEqual(
      drafts.flatMap((draft) =>
        draft.kind === 'message' && draft.origin !== 'synthetic' ? [draft.message] : [],
      ),
    )
    await session.compact()
    const text = session.messages().map(messageText).join('\n')
    const facts = await session.facts()
    for (const rule of facts.rules) {
      if (rule.retractedBy === undefined) expect(text, 'G7: rules').toContain(rule.text)
    }
    const newest = (await session.latest()).human
    if (newest) expect(text, 'G7: latest request').toContain(messageText(newest.message))
  })
})
