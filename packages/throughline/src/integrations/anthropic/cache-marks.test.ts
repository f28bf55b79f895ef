import { expect, test } from 'vitest'
import { breakpointsIn } from './breakpoints.ts'
import { memoryStore } from '../../stores/memory.ts'
import { openConversation } from './index.ts'
import type { MessageParam, TextBlockParam } from '@anthropic-ai/sdk/resources/messages'

const long = 'word '.repeat(500)
const window = { context: 16_000 }

function said(index: number): MessageParam {
  return { role: index % 2 === 0 ? 'user' : 'assistant', content: `${index}. ${long}` }
}

/** The positions of the marked messages. */
function marked(messages: readonly MessageParam[]): number[] {
  return messages.flatMap((message, index) => (breakpointsIn(message).length > 0 ? [index] : []))
}

test('the marks stand at the end of the last request and of this one, and at the summary', async () => {
  const system: TextBlockParam[] = [
    { type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } },
  ]
  const options = { store: memoryStore(), id: 'a', window, system, cache: '1h' } as const
  const conversation = await openConversation<MessageParam>(options)
  const all: MessageParam[] = [said(0)]
  let sent = await conversation.fit(all)
  expect(marked(sent)).toEqual([0])
  expect(breakpointsIn(sent)).toEqual([{ type: 'ephemeral', ttl: '1h' }])
  all.push(said(1), said(2))
  sent = await conversation.fit(all)
  expect(marked(sent)).toEqual([0, 2])
  for (let index = 3; index < 60; index += 2) {
    all.push(said(index), said(index + 1))
    sent = await conversation.fit(all)
    expect(breakpointsIn(sent).length).toBeLessThanOrEqual(3)
    expect(marked(sent)).toContain(sent.length - 1)
  }
  expect(JSON.stringify(sent[0])).toContain('prior-conversation-summary')
  expect(marked(sent)).toContain(0)
  // The caller's own array has none of them.
  expect(breakpointsIn(all)).toEqual([])
})

test('the marks of the caller come first, and there are never more than four', async () => {
  const tools = [1, 2, 3].map((name) => ({ name: `${name}`, cache_control: { type: 'ephemeral' } }))
  const options = { store: memoryStore(), id: 'a', window, tools, cache: '5m' } as const
  const conversation = await openConversation<MessageParam>(options)
  const text = { type: 'text', text: long, cache_control: { type: 'ephemeral' } } as const
  const sent = await conversation.fit([
    { role: 'user', content: [text] },
    said(1),
    { role: 'user', content: 'And?' },
  ])
  expect(marked(sent)).toEqual([0])
})
