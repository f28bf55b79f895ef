import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { presets } from '../compaction/presets.ts'
import { openCallIds } from '../testing/open-calls.ts'
import { drive } from '../testing/generate/drive.ts'
import { runs } from '../testing/generate/runs.ts'
import { arbitrarySession } from '../testing/generate/session.ts'
import { arbitrarySummarizer } from '../testing/generate/summarizer.ts'
import { arbitraryWindow } from '../testing/generate/window.ts'
import { illegalities } from '../testing/legal.ts'

describe('G4: pairs stay whole', () => {
  it.each(['default', 'seed'] as const)('in every request, with the %s policy', async (preset) => {
    await fc.assert(
      fc.asyncProperty(
        arbitrarySession(),
        arbitraryWindow,
        fc.option(arbitrarySummarizer, { nil: undefined }),
        async (drafts, context, summarizer) => {
          const { requests } = await drive(drafts, {
            window: { context },
            policy: presets[preset],
            ...(summarizer && { summarizer }),
          })
          for (const { messages } of requests) expect(illegalities(messages)).toEqual([])
        },
      ),
      runs(60),
    )
  })

  it('a pending call stays pending through a compaction', async () => {
    await fc.assert(
      fc.asyncProperty(arbitrarySession(), arbitraryWindow, async (drafts, context) => {
        const { session, error } = await drive(drafts, { window: { context } })
        if (error !== undefined) return
        const before = openCallIds(session.messages())
        await session.compact().catch(() => undefined)
        expect(openCallIds(session.messages())).toEqual(before)
        expect(illegalities(session.messages())).toEqual([])
      }),
      runs(60),
    )
  })

  it('reasoning is whole, or absent from what stood before a change', async () => {
    await fc.assert(
      fc.asyncProperty(arbitrarySession(), async (drafts) => {
        const { session } = await drive(drafts, { window: { context: 1_000_000 } })
        const report = await session.compact().catch(() => undefined)
        if (report?.action !== 'summary') return
        expect(JSON.stringify(session.messages())).not.toContain('"type":"reasoning"')
      }),
      runs(40),
    )
  })
})
