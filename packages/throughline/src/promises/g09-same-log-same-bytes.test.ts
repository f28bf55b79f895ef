import { defaultPolicy } from '../compaction/policy.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compactLog } from '../session/once/compact-log.ts'
import { memoryStore } from '../stores/memory.ts'
import { openSession } from '../session/session.ts'
import { assistant, call, human, logFrom, result, step, tool } from '../testing/generate/build.ts'
import { drive, type SeenRequest } from '../testing/generate/drive.ts'
import { runs } from '../testing/generate/runs.ts'
import { arbitrarySession } from '../testing/generate/session.ts'
import { arbitraryWindow } from '../testing/generate/window.ts'

type Seen = Pick<SeenRequest, 'messages' | 'changedAt'>

/** Where nothing changed the view since, what stood there before stands there still. */
function expectGrown(before: Seen | undefined, { messages, changedAt }: Seen): void {
  if (before?.changedAt !== changedAt) return
  expect(messages.slice(0, before.messages.length)).toEqual(before.messages)
}

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

  it('a pruning is a change of the view, and between two of them the context only grows', async () => {
    const reads = Array.from({ length: 120 }, (_, n) =>
      step(`c${n}`, 'Read', { file_path: `f${n}.ts` }, `line of ${n}\n`.repeat(250)),
    )
    const { requests } = await drive([human('go'), ...reads.flat()], {
      window: { context: 64_000 },
      policy: { ...defaultPolicy, pruneAlone: () => true },
    })
    expect(requests.filter(({ report }) => report.action === 'prune').length).toBeGreaterThan(1)
    for (const [index, request] of requests.entries()) expectGrown(requests[index - 1], request)
  })

  it('a result that finds its step behind a human message is a change of the view', async () => {
    const session = await openSession({ store: memoryStore(), id: 'a', window: { context: 8_000 } })
    const seen = (): Seen => ({
      messages: session.messages(),
      changedAt: session.context().changedAt,
    })
    await session.append(human('look'), assistant([call('a', 'Read')]), human('wait'))
    const before = seen()
    await session.append(tool(result('a', 'Read', 'here it is')))
    const after = seen()
    expect(after.messages.at(-2)).toMatchObject({ role: 'tool' })
    expectGrown(before, after)
    expect(after.changedAt).toBeGreaterThan(before.changedAt)
  })

  it('between two changes of the view the context only grows at its end', async () => {
    await fc.assert(
      fc.asyncProperty(arbitrarySession(), arbitraryWindow, async (drafts, context) => {
        const { requests } = await drive(drafts, { window: { context } })
        for (const [index, request] of requests.entries()) expectGrown(requests[index - 1], request)
      }),
      runs(40),
    )
  })
})
