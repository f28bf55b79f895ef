import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultPolicy } from '../compaction/policy.ts'
import { assistant, human, placed, step } from '../testing/generate/build.ts'
import { drive } from '../testing/generate/drive.ts'
import { goodSummary } from '../testing/scripted/scripted-summarizer.ts'
import { memoryStore } from '../stores/memory.ts'
import { openSession } from '../session/session.ts'
import { OverflowError } from '../session/errors.ts'
import { run } from '../session/loop/loop.ts'
import { runs } from '../testing/generate/runs.ts'
import { arbitrarySession } from '../testing/generate/session.ts'
import { arbitrarySummarizer } from '../testing/generate/summarizer.ts'
import { arbitraryWindow } from '../testing/generate/window.ts'
import type { EntryDraft } from '../log/entry.ts'

describe('G3: it ends', () => {
  it('asks a summarizer at most four times a compaction, whatever it answers', async () => {
    await fc.assert(
      fc.asyncProperty(
        arbitrarySession(),
        arbitraryWindow,
        arbitrarySummarizer,
        async (drafts, context, summarizer) => {
          const { requests } = await drive(drafts, { window: { context }, summarizer })
          for (const { report } of requests) {
            expect(report.attempts.length).toBeLessThanOrEqual(defaultPolicy.attempts)
          }
        },
      ),
      runs(40),
    )
  })

  it('makes the context smaller with every compaction, down to low water or to what can be had', async () => {
    await fc.assert(
      fc.asyncProperty(arbitrarySession(), arbitraryWindow, async (drafts, context) => {
        const { requests } = await drive(drafts, { window: { context } })
        for (const { report, usable } of requests) {
          if (report.action === 'none') continue
          expect(report.after).toBeLessThan(report.before)
          expect(report.after).toBeLessThanOrEqual(usable)
        }
      }),
      runs(40),
    )
  })

  it('changes nothing where a compaction would only make it larger', async () => {
    await fc.assert(
      fc.asyncProperty(arbitrarySession(), async (drafts) => {
        const session = await openSession({
          store: memoryStore(),
          id: 'a',
          window: { context: 200_000 },
        })
        for (const draft of drafts.slice(0, 4)) {
          await session.append(placed(draft, session.context().seq))
        }
        const before = session.estimate()
        const report = await session.compact()
        if (report.action !== 'none') expect(session.estimate()).toBeLessThan(before)
      }),
      runs(60),
    )
  })

  it('does not ask for the next compaction, however much of its room a summary fills', async () => {
    let calls = 0
    const session = await openSession({
      store: memoryStore(),
      id: 'a',
      window: { context: 40_000 },
      policy: { ...defaultPolicy, threshold: (usable) => Math.floor(usable / 4) },
      summarizer: {
        name: 'wordy',
        summarize: async (request) => {
          calls += 1
          const room = request.budget - request.counter.text(goodSummary(request)) - 50
          const more = '- It goes on and on, and more is to be said of it.\n'
          const times = Math.floor(room / request.counter.text(more))
          return { text: `${goodSummary(request)}\n${more.repeat(times)}`, finish: 'stop' }
        },
      },
    })
    await session.append(human('look at the files'))
    for (let n = 0; n < 30; n++) {
      await session.append(assistant('word '.repeat(800)), human('go on'))
      if ((await session.fit()).action === 'none') continue
      expect((await session.fit()).action).toBe('none')
    }
    expect(calls).toBeGreaterThan(0)
  })

  it('tries a refused request once more, and not for ever', async () => {
    const session = await openSession({
      store: memoryStore(),
      id: 'a',
      window: { context: 200_000 },
    })
    await session.append(human('go'))
    for (let n = 0; n < 20; n++) {
      await session.append(...step(`c${n}`, 'Read', { path: `f${n}` }, 'word '.repeat(2_000)))
    }
    let requests = 0
    const refused = async (): Promise<never> => {
      requests += 1
      throw Object.assign(new Error('prompt is too long'), { statusCode: 400 })
    }
    await expect(run({ session, step: refused })).rejects.toBeInstanceOf(OverflowError)
    expect(requests).toBe(2)
  })

  it('does not compact again at once, whatever usage a provider reports', async () => {
    const usages = fc.constantFrom(0, 1, 5_000, 100_000, 1e12)
    await fc.assert(
      fc.asyncProperty(
        arbitrarySession(),
        fc.integer({ min: 4_000, max: 40_000 }),
        usages,
        async (drafts, context, inputTokens) => {
          const lying = drafts.map((draft) => withUsage(draft, inputTokens))
          const { session, error } = await drive(lying, { window: { context } })
          if (error !== undefined) return
          try {
            await session.fit()
          } catch {
            return
          }
          const before = (await session.log()).length
          expect((await session.fit()).action).toBe('none')
          expect((await session.log()).length).toBe(before)
        },
      ),
      runs(60),
    )
  })

  it('does so even with a log whose usage is none, as nothing refused it once', async () => {
    await fc.assert(
      fc.asyncProperty(
        arbitrarySession(),
        fc.integer({ min: 4_000, max: 40_000 }),
        fc.constantFrom(-1, Number.NaN, Infinity),
        async (drafts, context, inputTokens) => {
          const store = memoryStore()
          await store.append(
            'a',
            drafts.map((draft) => withUsage(draft, inputTokens)),
          )
          const session = await openSession({ store, id: 'a', window: { context } })
          try {
            await session.fit()
          } catch {
            return
          }
          expect((await session.fit()).action).toBe('none')
        },
      ),
      runs(60),
    )
  })

  it('compacts no more often than the session grows, under a usage that is always too high', async () => {
    const steps = Array.from({ length: 200 }, () =>
      withUsage(assistant('a short answer'), 1_000_000),
    )
    const { requests } = await drive(steps, { window: { context: 32_000 } })
    const compactions = requests.filter(({ report }) => report.action !== 'none').length
    expect(compactions).toBe(0)
  })
})

function withUsage(draft: EntryDraft, inputTokens: number): EntryDraft {
  if (draft.kind !== 'message' || draft.message.role !== 'assistant') return draft
  return { ...draft, usage: { inputTokens, outputTokens: 10 } }
}
