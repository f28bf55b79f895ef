import { describe, expect, test } from 'vitest'
import { openSession } from '../../index.ts'
import { reconcile } from '../../session/reconcile/reconcile.ts'
import { memoryStore } from '../../stores/memory.ts'
import { modelMessagesReader, toModelMessages } from './model-messages.ts'
import type { ModelMessage } from 'ai'
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

describe('modelMessagesReader', () => {
  const said = (role: 'user' | 'assistant', text: string): ModelMessage => ({
    role,
    content: [{ type: 'text', text }],
  })
  const texts = (messages: readonly Message[]): string => JSON.stringify(messages)

  async function opened() {
    return openSession({ store: memoryStore(), id: 'a', window: { context: 100_000 } })
  }

  test('sees what a host replaces or adds within a message that it passed before', async () => {
    const session = await opened()
    const read = modelMessagesReader()
    const content = [{ type: 'text' as const, text: 'changed' }]
    const third = said('user', 'third')
    const host = [said('user', 'first'), said('assistant', 'second'), third]
    await reconcile(session, read(host))
    host[1] = said('assistant', 'other')
    await reconcile(session, read(host))
    expect(texts(session.messages())).not.toContain('second')
    third.content = content
    await reconcile(session, read(host))
    expect(texts(session.messages())).not.toContain('third')
    content.push({ type: 'text', text: 'more' })
    await reconcile(session, read(host))
    for (const text of ['first', 'other', 'changed', 'more'])
      expect(texts(session.messages())).toContain(text)
  })

  test('compares with what the session was given last, whoever gave it', async () => {
    const session = await opened()
    const [read, readOther] = [modelMessagesReader(), modelMessagesReader()]
    const host = [said('user', 'first'), said('assistant', 'second')]
    await reconcile(session, read(host))
    await reconcile(session, readOther([said('user', 'elsewhere')]))
    await reconcile(session, read(host.concat(said('user', 'third'))))
    expect(session.messages().map((message) => texts([message]))).toEqual(
      ['first', 'second', 'third'].map((text) => expect.stringContaining(text)),
    )
  })
})
