import { describe, expect, test } from 'vitest'
import { toModelMessages } from './model-messages.ts'
import type { Message } from '../../log/message.ts'

const result = (toolCallId: string): Message => ({
  role: 'tool',
  content: [
    { type: 'tool-result', toolCallId, toolName: 'read', output: { type: 'text', value: '' } },
  ],
})

describe('toModelMessages', () => {
  test('takes the system messages that stand first out of the messages', () => {
    const user: Message = { role: 'user', content: 'hi' }
    const summary: Message = { role: 'system', content: 'what came before' }
    expect(toModelMessages([summary, user])).toEqual({ system: [summary], messages: [user] })
    expect(toModelMessages([user, summary])).toEqual({ system: [], messages: [user, summary] })
    expect(toModelMessages([summary])).toEqual({ system: [summary], messages: [] })
  })

  test('joins tool messages that follow each other and leaves the originals alone', () => {
    const messages = [
      result('a'),
      result('b'),
      { role: 'user', content: 'x' } as const,
      result('c'),
    ]
    const joined = toModelMessages(messages).messages
    expect(joined.map(({ content }) => content.length)).toEqual([2, 1, 1])
    expect(messages.map(({ content }) => content.length)).toEqual([1, 1, 1, 1])
  })

  test('turns images into files', () => {
    const content = [
      { type: 'image' as const, image: 'QUJD' },
      {
        type: 'image' as const,
        image: 'QUJD',
        mediaType: 'image/png',
        providerOptions: { a: { b: 1 } },
      },
    ]
    expect(toModelMessages([{ role: 'user', content }]).messages[0]?.content).toEqual([
      { type: 'file', data: 'QUJD', mediaType: 'image' },
      { type: 'file', data: 'QUJD', mediaType: 'image/png', providerOptions: { a: { b: 1 } } },
    ])
  })
})
