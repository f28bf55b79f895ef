import { describe, expect, test } from 'vitest'
import { continuationMark } from '../compaction/render/continuation-mark.ts'
import { defaultPolicy } from '../compaction/policy.ts'
import { presets } from '../compaction/presets.ts'
import { compactMessages } from '../session/once/compact-messages.ts'
import { openSession } from '../session/session.ts'
import { memoryStore } from '../stores/memory.ts'
import { anthropicProblems } from '../testing/request-rules/anthropic.ts'
import { chatProblems, responsesProblems } from '../testing/request-rules/openai.ts'
import { human, step } from '../testing/generate/build.ts'
import { compact } from './anthropic/compact.ts'
import { compactChat } from './openai/chat/compact.ts'
import { compactInput } from './openai/responses/compact.ts'
import type { Message } from '../log/message.ts'

/*
 * Who shows a context in a chat can hide what a compaction added, whatever API the context is of;
 * and no provider sees a mark, since each refuses fields that it does not know.
 */
const settings = {
  window: { context: 16_000 },
  policy: { ...defaultPolicy, prune: () => undefined },
}
const text = 'const value = 1\n'.repeat(200)
const many = Array.from({ length: 30 }, (_, index) => index)

const marksIn = (messages: readonly object[]) =>
  messages.flatMap((message, index) => {
    const mark = continuationMark(message)
    return mark ? [{ ...mark, index: index - messages.length }] : []
  })

const continued = { compaction_continue: true, text: 'continue' }

describe('a continuation carries its mark', () => {
  test('in messages of the AI SDK and in a session', async () => {
    const drafts = [human('Read all.'), ...many.flatMap((n) => step(`c${n}`, 'read', {}, text))]
    const said = drafts.flatMap((draft): Message[] =>
      draft.kind === 'message' ? [draft.message] : [],
    )
    const { messages } = await compactMessages(said, settings)
    expect(marksIn(messages)).toEqual([{ ...continued, alone: true, index: -1 }])
    const session = await openSession({ store: memoryStore(), id: 'a', ...settings })
    await session.append(...drafts)
    await session.fit()
    expect(marksIn(session.messages())).toEqual([{ ...continued, alone: true, index: -1 }])
  })

  test('in Messages, behind the results that share its message', async () => {
    const { messages } = await compact(
      [
        { role: 'user', content: 'Read all.' },
        ...many.flatMap((n) => [
          {
            role: 'assistant' as const,
            content: [{ type: 'tool_use' as const, id: `c${n}`, name: 'read', input: {} }],
          },
          {
            role: 'user' as const,
            content: [{ type: 'tool_result' as const, tool_use_id: `c${n}`, content: text }],
          },
        ]),
      ],
      settings,
    )
    expect(marksIn(messages)).toEqual([{ ...continued, alone: false, index: -1 }])
    expect(anthropicProblems({ messages } as never)).toEqual([])
    expect(JSON.stringify(messages)).not.toContain('compaction_continue')
  })

  test('in Chat Completions and in Responses', async () => {
    const chat = await compactChat(
      [
        { role: 'user', content: 'Read all.' },
        ...many.flatMap((n) => [
          {
            role: 'assistant' as const,
            content: 'next',
            tool_calls: [
              {
                id: `c${n}`,
                type: 'function' as const,
                function: { name: 'read', arguments: '{}' },
              },
            ],
          },
          { role: 'tool' as const, tool_call_id: `c${n}`, content: text },
        ]),
      ],
      settings,
    )
    expect(marksIn(chat.messages)).toEqual([{ ...continued, alone: true, index: -1 }])
    expect(chatProblems({ messages: chat.messages } as never)).toEqual([])
    const responses = await compactInput(
      [
        { type: 'message' as const, role: 'user' as const, content: 'Read all.' },
        ...many.flatMap((n) => [
          { type: 'function_call' as const, call_id: `c${n}`, name: 'read', arguments: '{}' },
          { type: 'function_call_output' as const, call_id: `c${n}`, output: text },
        ]),
      ],
      settings,
    )
    const { messages: input } = responses
    expect(marksIn(input)).toEqual([{ ...continued, alone: true, index: -1 }])
    expect(responsesProblems({ input } as never)).toEqual([])
  })

  test('with had_media, and never on the message that the human wrote', async () => {
    const said: Message[] = [
      ...many.flatMap((n): Message[] => [
        { role: 'user', content: `request ${n}` },
        { role: 'assistant', content: 'word '.repeat(700) },
      ]),
      {
        role: 'user',
        content: [
          { type: 'text', text: 'what is this?' },
          { type: 'image', image: 'aGVsbG8=', mediaType: 'image/png' },
        ],
      },
    ]
    const options = { window: { context: 16_000 }, policy: presets.seed }
    const shown = await compactMessages(said, options)
    expect(marksIn(shown.messages)).toMatchObject([
      { compaction_continue: true, had_media: true, index: -1 },
    ])
    const asked = await compactMessages([...said.slice(0, -1), { role: 'user', content: 'go' }], {
      ...options,
    })
    expect(asked.messages.slice(-2)).toEqual([
      { role: 'user', content: 'go' },
      { role: 'user', content: 'go' },
    ])
    expect(marksIn(asked.messages).map(({ index }) => index)).toEqual([-1])
  })
})
