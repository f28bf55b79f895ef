import { wellFormed } from '../json/well-formed.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openSession } from '../session/session.ts'
import { memoryStore } from '../stores/memory.ts'
import { assistant, call, human, result, step, tool } from '../testing/generate/build.ts'
import { goodSummary } from '../testing/scripted/scripted-summarizer.ts'
import { abortedResult } from '../log/open-calls.ts'
import { presets } from '../compaction/presets.ts'
import { openCallIds } from '../testing/open-calls.ts'
import { drive } from '../testing/generate/drive.ts'
import { runs } from '../testing/generate/runs.ts'
import { arbitrarySession } from '../testing/generate/session.ts'
import { arbitrarySummarizer } from '../testing/generate/summarizer.ts'
import { arbitraryWindow } from '../testing/generate/window.ts'
import { illegalities } from '../testing/legal.ts'
import type { Summarizer } from '../compaction/summary/with-model/summarizer.ts'
import type { Continuation } from '../log/entry.ts'
import { isReasoning } from '../log/context/kept-reasoning.ts'
import { partsOf, type AssistantPart, type Message } from '../log/message.ts'

/** All that an answer thought, as one text; none where it did not. */
function thoughtOf(message: Message): string[] {
  const parts = partsOf(message).filter(isReasoning)
  return parts.length === 0 ? [] : [JSON.stringify(parts)]
}

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

  it('reasoning is whole or absent, after every change and whatever was learned', async () => {
    const lesson = fc.constantFrom('refuses', 'demands')
    await fc.assert(
      fc.asyncProperty(
        arbitrarySession(),
        arbitraryWindow,
        fc.array(lesson, { maxLength: 3 }),
        async (drafts, context, lessons) => {
          const { session, requests, error } = await drive(drafts, { window: { context } })
          if (error !== undefined) return
          const sent = requests.map(({ messages }) => messages)
          for (const provider of lessons) {
            await session.compact().catch(() => undefined)
            sent.push(session.messages())
            const observation = { type: 'reasoning', provider } as const
            await session.append({ kind: 'observation', at: 0, observation })
            sent.push(session.messages())
          }
          const log = await session.log()
          const thoughts = new Set(
            log.flatMap((entry) =>
              entry.kind === 'message' ? thoughtOf(wellFormed(entry.message)) : [],
            ),
          )
          for (const messages of sent) {
            expect(illegalities(messages)).toEqual([])
            for (const thought of messages.flatMap(thoughtOf)) expect(thoughts).toContain(thought)
          }
        },
      ),
      runs(60),
    )
  })

  it.each([
    ['stays in the tail', 'wait, and look at the other one too'],
    ['is summarized', `wait, ${'and look at the other one too, '.repeat(300)}`],
  ])('a result that comes while its step %s, behind a human message', async (_, said) => {
    const summarizer: Summarizer = {
      name: 'slow',
      summarize: async (request) => {
        await session.append(tool(result('late', 'Read', 'here it is')))
        return { text: goodSummary(request), finish: 'stop' }
      },
    }
    const session = await openSession({
      store: memoryStore(),
      id: 'a',
      window: { context: 24_000 },
      summarizer,
    })
    await session.append(
      human('look at it'),
      ...step('a', 'Read', { file_path: 'a.ts' }, 'const a = 1\n'.repeat(400)),
      assistant([call('late', 'Read')]),
      human(said),
      human(said),
    )
    expect((await session.compact()).summarizer).toBe('slow')
    expect(illegalities(session.messages())).toEqual([])
    expect(JSON.stringify(session.messages())).toContain('here it is')
  })

  it('no plugin closes a pending call, or loses one, by its continuation', async () => {
    const odd = (of?: number): Continuation => ({
      kind: 'mid-task',
      message: { role: 'user', content: 'go' },
      metadata: { compaction_continue: true },
      ...(of !== undefined && { of }),
    })
    const work = step('a', 'Read', { file_path: 'a.ts' }, 'const a = 1\n'.repeat(400))
    for (const of of [undefined, 1, 99]) {
      for (const end of [[assistant([call('open', 'Read')])], step('end', 'Read', {}, 'the end')]) {
        const session = await openSession({
          store: memoryStore(),
          id: 'a',
          window: { context: 24_000 },
          plugins: [{ name: 'odd', continuation: () => odd(of) }],
        })
        await session.append(human('look'), ...work, human('and now?'), ...end)
        const before = openCallIds(session.messages())
        await session.compact()
        expect(openCallIds(session.messages())).toEqual(before)
        if (before.length === 0) expect(JSON.stringify(session.messages())).toContain('the end')
      }
    }
  })

  it('a call that was aborted has its result, also where an empty answer is all that follows', async () => {
    const session = await openSession({ store: memoryStore(), id: 'a', window: { context: 8_000 } })
    await session.append(human('look'), assistant([call('a', 'Read')]), assistant([]))
    expect(session.messages().at(-1)).toMatchObject({
      role: 'tool',
      content: [{ toolCallId: 'a', output: { value: abortedResult } }],
    })
    expect(openCallIds(session.messages())).toEqual([])
  })

  it('a pin that comes while a call waits leaves it waiting', async () => {
    const session = await openSession({ store: memoryStore(), id: 'a', window: { context: 8_000 } })
    await session.append(human('look'), assistant([call('a', 'Read')]))
    await session.pin('The release is on Friday.')
    expect(openCallIds(session.messages())).toEqual(['a'])
    await session.append(tool(result('a', 'Read', 'here it is')))
    expect(illegalities(session.messages())).toEqual([])
    expect(session.messages().at(-1)?.role).toBe('tool')
  })

  it('a call takes one result, and calls that the provider runs take none from us', async () => {
    const odd = [
      [assistant([call('a', 'Read')]), tool(result('a', 'Read', '1'), result('a', 'Read', '2'))],
      [
        assistant([call('a', 'Read')]),
        tool(result('a', 'Read', '1')),
        tool(result('a', 'Read', '2')),
      ],
      [
        assistant([{ ...call('a', 'web'), providerExecuted: true } as AssistantPart]),
        tool(result('a', 'web', '1')),
      ],
    ]
    for (const drafts of odd) {
      const session = await openSession({
        store: memoryStore(),
        id: 'a',
        window: { context: 8_000 },
      })
      await session.append(human('look'), ...drafts)
      expect(illegalities(session.messages())).toEqual([])
    }
  })

  it('a provider’s own call that awaits an approval is pending, and stays', async () => {
    const session = await openSession({
      store: memoryStore(),
      id: 'a',
      window: { context: 24_000 },
    })
    await session.append(
      human('look'),
      ...step('a', 'Read', { file_path: 'a.ts' }, 'const a = 1\n'.repeat(400)),
      assistant([
        { ...call('m', 'mcp'), providerExecuted: true } as AssistantPart,
        { type: 'tool-approval-request', approvalId: 'ask', toolCallId: 'm' },
      ]),
    )
    const last = session.messages().at(-1)
    expect((await session.compact()).action).toBe('summary')
    expect(session.messages().at(-1)).toEqual(last)
  })
})
