import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultPolicy } from '../compaction/policy.ts'
import { latest } from '../log/context/trusted-usage.ts'
import { run } from '../session/loop/loop.ts'
import { openSession } from '../session/session.ts'
import { memoryStore } from '../stores/memory.ts'
import { assistant, human, step } from '../testing/generate/build.ts'
import { runs } from '../testing/generate/runs.ts'
import { arbitrarySession } from '../testing/generate/session.ts'
import type { SessionEvent } from '../session/events.ts'
import type { Session } from '../session/session.ts'

const compactions = async (session: Session): Promise<number> =>
  (await session.log()).filter(({ kind }) => kind === 'checkpoint' || kind === 'prune').length

describe('G5: one overflow, one compaction', () => {
  it('callers that come at the same time share one', async () => {
    await fc.assert(
      fc.asyncProperty(
        arbitrarySession(),
        fc.integer({ min: 8_000, max: 32_000 }),
        async (drafts, context) => {
          const session = await openSession({ store: memoryStore(), id: 'a', window: { context } })
          await session.append(...drafts)
          const before = await compactions(session)
          const results = await Promise.allSettled([session.fit(), session.fit(), session.fit()])
          if (results.some(({ status }) => status === 'rejected')) return
          expect((await compactions(session)) - before).toBeLessThanOrEqual(1)
        },
      ),
      runs(40),
    )
  })

  it('callers that come at the same time ask the summarizer once', async () => {
    let calls = 0
    const session = await openSession({
      store: memoryStore(),
      id: 'a',
      window: { context: 8_000 },
      summarizer: {
        name: 'counted',
        summarize: async ({ template }) => {
          calls += 1
          const text = template.sections.map(({ heading }) => `## ${heading}\nx`).join('\n')
          return { text, finish: 'stop' }
        },
      },
    })
    // What the assistant said cannot be pruned: only a summary helps.
    const said = Array.from({ length: 12 }, () => assistant('word '.repeat(800)))
    await session.append(human('go'), ...said)
    await Promise.all([session.fit(), session.fit(), session.fit()])
    expect(calls).toBe(1)
    expect(await compactions(session)).toBe(1)
  })

  it('two processes on one store commit one', async () => {
    const store = memoryStore()
    const options = { store, id: 'shared', window: { context: 8_000 } }
    const first = await openSession(options)
    await first.append(
      human('go'),
      ...Array.from({ length: 30 }, (_, n) =>
        step(`c${n}`, 'read', {}, 'text '.repeat(400)),
      ).flat(),
    )
    const second = await openSession(options)
    const reports = await Promise.all([first.fit(), second.fit()])
    await first.sync()
    expect(await compactions(first)).toBe(1)
    expect(reports.filter(({ action }) => action !== 'none')).toHaveLength(1)
  })

  /**
   * The shape that compacted opencode twice: the kept tail holds the finished assistant message
   * that overflowed, with its usage of 280,000 tokens, behind a fresh summary.
   */
  it.each([
    ['reports its usage', true],
    ['does not report its usage', false],
  ])(
    "the message shape of opencode's pull request 27545 compacts once, where the next answer %s",
    async (_, tells) => {
      const events: SessionEvent[] = []
      const session = await openSession({
        store: memoryStore(),
        id: '27545',
        window: { context: 300_000 },
        onEvent: (event) => events.push(event),
      })
      await session.append(
        human('build it'),
        // What the assistant said cannot be pruned: only a summary helps.
        ...Array.from({ length: 40 }, () => assistant('some source line\n'.repeat(1_200))),
        human('and test it'),
        assistant(
          [
            {
              type: 'tool-call',
              toolCallId: 'last',
              toolName: 'bash',
              input: { command: 'npm test' },
            },
          ],
          {
            usage: { inputTokens: 280_000, outputTokens: 500 },
          },
        ),
        {
          kind: 'message',
          at: 0,
          origin: 'tool',
          message: {
            role: 'tool',
            content: [
              {
                type: 'tool-result',
                toolCallId: 'last',
                toolName: 'bash',
                output: { type: 'text', value: 'ok' },
              },
            ],
          },
        },
      )
      const overflowed = latest(await session.log())
      expect(overflowed.finished).toMatchObject({ seq: 43, usage: { inputTokens: 280_000 } })
      await session.fit()
      const compacted = latest(await session.log())
      expect(compacted.finished).toMatchObject({ kind: 'checkpoint' })
      expect(compacted.tasks).toEqual([])
      const [asked] = await session.say('go on')
      expect(latest(await session.log())).toMatchObject({
        finished: { kind: 'checkpoint' },
        tasks: [{ seq: asked?.seq }],
      })
      let answers = 0
      const result = await run({
        session,
        step: async () => {
          answers += 1
          const finished = answers === 3
          return {
            messages: [
              {
                role: 'assistant',
                content: finished
                  ? 'done'
                  : [{ type: 'tool-call', toolCallId: `t${answers}`, toolName: 'read', input: {} }],
              },
              ...(finished
                ? []
                : [
                    {
                      role: 'tool' as const,
                      content: [
                        {
                          type: 'tool-result' as const,
                          toolCallId: `t${answers}`,
                          toolName: 'read',
                          output: { type: 'text' as const, value: 'ok' },
                        },
                      ],
                    },
                  ]),
            ],
            finish: finished ? 'stop' : 'tool-calls',
            ...(tells && { usage: { inputTokens: 20_000 + answers * 100, outputTokens: 20 } }),
          }
        },
      })
      expect(result.reason).toBe('finished')
      expect(await compactions(session)).toBe(1)
      expect(events.filter(({ type }) => type === 'compaction-finished')).toHaveLength(1)
      const tail = session
        .context()
        .items.findIndex((item) => item.type === 'message' && item.seq === 43)
      expect(tail).toBeGreaterThan(0)
      expect(latest(await session.log()).finished).toMatchObject({ message: { content: 'done' } })
    },
  )

  it.each([
    ['a low-water mark above usable', { lowWater: (usable: number) => usable * 2 }],
    ['a threshold below the mark', { threshold: (usable: number) => Math.floor(usable / 3) }],
  ])('under a policy with %s a compaction does not ask for the next one', async (_, numbers) => {
    const session = await openSession({
      store: memoryStore(),
      id: 'a',
      window: { context: 16_000 },
      policy: { ...defaultPolicy, ...numbers },
    })
    await session.append(human('look at the files'))
    for (let n = 0; n < 40; n++) {
      await session.append(...step(`c${n}`, 'Read', { path: `f${n}` }, `line ${n}\n`.repeat(200)))
      if ((await session.fit()).action === 'none') continue
      expect(session.measure().tokens).toBeLessThan(session.budget().threshold)
      expect((await session.fit()).action).toBe('none')
    }
    expect(await compactions(session)).toBeGreaterThan(0)
  })
})
