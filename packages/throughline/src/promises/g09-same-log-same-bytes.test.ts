import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compactLog } from '../session/once/compact-log.ts'
import { logFrom } from '../testing/generate/build.ts'
import { drive } from '../testing/generate/drive.ts'
import { runs } from '../testing/generate/runs.ts'
import { arbitrarySession } from '../testing/generate/session.ts'
import { arbitraryWindow } from '../testing/generate/window.ts'

describe('G9: same log, same policy, same request, same bytes', () => {
  it('a compaction of the same log gives the same bytes', async () => {
    await fc.assert(
      fc.asyncProperty(arbitrarySession(), async (drafts) => {
        const options = { window: { context: 200_000 }, trigger: 'manual' } as const
        const first = await compactLog(logFrom(drafts), options)
        const second = await compactLog(logFrom(structuredClone(drafts)), options)
        expect(JSON.stringify(first.messages)).toBe(JSON.stringify(second.messages))
      }),
      runs(40),
    )
  })

  it('between two changes of the view the context only grows at its end', async () => {
    await fc.assert(
      fc.asyncProperty(arbitrarySession(), arbitraryWindow, async (drafts, context) => {
        const { requests } = await drive(drafts, { window: { context } })
        requests.forEach((request, index) => {
          const before = requests[index - 1]
          if (!before || before.changedAt !== request.changedAt) return
          expect(request.messages.slice(0, before.messages.length)).toEqual(before.messages)
        })
      }),
      runs(40),
    )
  })
})
