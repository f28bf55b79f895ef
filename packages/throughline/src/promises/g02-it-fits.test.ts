import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ContextFloorError } from '../compaction/errors.ts'
import { assistant, call, human, tool, result } from '../testing/generate/build.ts'
import { drive } from '../testing/generate/drive.ts'
import { runs } from '../testing/generate/runs.ts'
import { arbitrarySession } from '../testing/generate/session.ts'
import { arbitrarySummarizer } from '../testing/generate/summarizer.ts'
import { arbitraryWindow } from '../testing/generate/window.ts'

describe('G2: it fits, or it says what does not', () => {
  it('every request fits the window, or an error names what fills it', async () => {
    await fc.assert(
      fc.asyncProperty(arbitrarySession(), arbitraryWindow, async (drafts, context) => {
        const { requests, error } = await drive(drafts, { window: { context } })
        for (const { tokens, usable } of requests) expect(tokens).toBeLessThanOrEqual(usable)
        if (error !== undefined) expect(error).toBeInstanceOf(ContextFloorError)
      }),
      runs(60),
    )
  })

  it('spends no call on a context that cannot be made to fit', async () => {
    await fc.assert(
      fc.asyncProperty(arbitrarySession(), arbitrarySummarizer, async (drafts, summarizer) => {
        const { error, requests } = await drive([...drafts, assistant('done')], {
          window: { context: 2_000 },
          system: 'You are a careful agent. '.repeat(400),
          summarizer,
        })
        expect(error).toBeInstanceOf(ContextFloorError)
        expect(requests).toEqual([])
        expect(summarizer.calls).toBe(0)
      }),
      runs(20),
    )
  })

  it('hands on no request that nothing makes fit', async () => {
    // Calls stay whole pairs: many of them in a step that waits are neither summarized nor clipped.
    const calls = Array.from({ length: 600 }, (_, n) =>
      call(`one-${n}`, 'Read', { path: `${n}.ts` }),
    )
    const { error, requests } = await drive(
      [human('go'), assistant(calls), tool(result('one-0', 'Read', 'here')), assistant('done')],
      { window: { context: 8_000 } },
    )
    expect(requests).toHaveLength(1)
    expect(error).toBeInstanceOf(ContextFloorError)
  })

  it('counts the latest request, also behind an image, as what must stand', async () => {
    const { error } = await drive(
      [
        human('x '.repeat(60_000)),
        human([{ type: 'image', image: 'aaaa', mediaType: 'image/png' }]),
        assistant('done'),
      ],
      { window: { context: 2_000 } },
    )
    expect(error).toBeInstanceOf(ContextFloorError)
    expect((error as ContextFloorError).floor.request).toBeGreaterThan(1_500)
  })
})
