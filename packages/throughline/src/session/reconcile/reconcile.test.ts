import { describe, expect, test } from 'vitest'
import { call, result } from '../../testing/generate/build.ts'
import { memoryStore } from '../../stores/memory.ts'
import { openSession, type Session, type SessionOptions } from '../session.ts'
import { reconcile } from './reconcile.ts'
import { sqliteStore } from '../../stores/sqlite/sqlite-store.ts'
import type { Message } from '../../log/message.ts'

function open(options: Partial<SessionOptions> = {}): Promise<Session> {
  return openSession({ store: memoryStore(), id: 'a', window: { context: 8_000 }, ...options })
}

const ask: Message = { role: 'user', content: 'Why does it fail?' }
const thought: Message = {
  role: 'assistant',
  content: [
    { type: 'reasoning', text: 'hm', providerOptions: { anthropic: { signature: 's' } } },
    { type: 'text', text: 'Let me look.' },
    call('c1', 'read', { path: 'a.ts' }),
  ],
}
const read: Message = { role: 'tool', content: [result('c1', 'read', 'line\n'.repeat(2_000))] }
const answer: Message = { role: 'assistant', content: 'It lacks a bracket.' }
const next: Message = { role: 'user', content: 'Then add it.' }

async function said(session: Session): Promise<Message[]> {
  return (await session.history()).map(({ message }) => message)
}

describe('reconciling', () => {
  test('appends what is new, with who said it', async () => {
    const session = await open()
    await reconcile(session, [ask])
    const { appended } = await reconcile(session, [ask, thought, read, answer], {
      describe: ({ role }) =>
        role === 'assistant'
          ? { usage: { inputTokens: 9, outputTokens: 1 }, model: 'm' }
          : { metadata: { from: 'host' } },
    })
    expect(appended).toMatchObject([
      { seq: 2, origin: 'model', usage: { inputTokens: 9 }, model: 'm' },
      { seq: 3, origin: 'tool', metadata: { from: 'host' } },
      { seq: 4, origin: 'model' },
    ])
    expect((await session.log())[0]).toMatchObject({ origin: 'human' })
  })

  test('knows a message again without its reasoning, with cache marks, as text or as a part', async () => {
    const session = await open()
    await reconcile(session, [ask, thought, read])
    const cached = { anthropic: { cacheControl: { type: 'ephemeral' } } }
    const again: Message[] = [
      { role: 'user', content: [{ type: 'text', text: 'Why does it fail?' }] },
      { role: 'assistant', content: (thought.content as []).slice(1) },
      { ...read, providerOptions: cached },
    ]
    expect(await reconcile(session, again)).toEqual({ appended: [] })
  })

  test('knows media again after a copy through JSON, and in the SDK’s other words', async () => {
    const session = await open()
    const url = new URL('https://example.com/a.png')
    const image = { type: 'image', image: url, mediaType: 'image/png' } as const
    await reconcile(session, [{ role: 'user', content: [image] }])
    const file = { type: 'file', data: url.href, mediaType: 'image/png' } as const
    expect(await reconcile(session, [{ role: 'user', content: [file] }])).toEqual({ appended: [] })
    const other = { ...file, data: 'https://example.com/b.png' }
    expect(await reconcile(session, [{ role: 'user', content: [other] }])).toMatchObject({
      appended: [{ message: { content: [other] } }],
      rewoundTo: 0,
    })
  })

  test('knows a medium again as bytes, in base64 and as a data URL', async () => {
    const session = await open()
    const file = (data: unknown): Message => ({
      role: 'user',
      content: [{ type: 'file', data, mediaType: 'image/png' }],
    })
    const bytes = Uint8Array.from({ length: 20_000 }, (_, index) => index % 251)
    const base64 = Buffer.from(bytes).toString('base64')
    await reconcile(session, [file(bytes)])
    for (const same of [
      base64,
      bytes.buffer,
      Buffer.from(bytes),
      { type: 'data', data: base64 },
      { type: 'url', url: new URL(`data:image/png;base64,${base64}`) },
    ]) {
      expect(await reconcile(session, [file(same)])).toEqual({ appended: [] })
    }
    expect(await reconcile(session, [file(bytes.subarray(1))])).toMatchObject({ rewoundTo: 0 })
  })

  test('goes on from another process, from the log alone', async () => {
    const store = sqliteStore({ file: ':memory:' })
    const first = await open({ store })
    await reconcile(first, [ask, thought, read, answer, next])
    await first.compact()
    const rendered: Message[] = JSON.parse(JSON.stringify(first.messages()))
    const second = await open({ store })
    const done: Message = { role: 'assistant', content: 'Added.' }
    const { appended } = await reconcile(second, [...rendered, done])
    expect(appended).toMatchObject([{ message: done }])
    expect(await said(second)).toEqual([ask, thought, read, answer, next, done])
  })

  test('takes back what the host has edited, and keeps compactions and pins of before', async () => {
    const session = await open()
    await reconcile(session, [ask, thought, read, answer])
    await session.compact()
    await reconcile(session, [...session.messages(), next])
    await session.pin('Use tabs.')
    const edited: Message = { role: 'user', content: 'No, leave it.' }
    const { rewoundTo, appended } = await reconcile(session, [
      ...session.messages().slice(0, -2),
      edited,
    ])
    expect(appended).toMatchObject([{ message: edited }])
    expect(rewoundTo).toBeGreaterThan(4)
    expect(session.context().checkpoint).toBeDefined()
    expect([...session.context().pins.values()]).toMatchObject([{ text: 'Use tabs.' }])
    expect(await said(session)).toEqual([ask, thought, read, answer, edited])
  })

  test('begins again where the host comes with another conversation', async () => {
    const session = await open()
    await reconcile(session, [ask, thought, read, answer])
    await session.compact()
    expect(await reconcile(session, [next])).toMatchObject({ rewoundTo: 0 })
    expect(session.messages()).toEqual([next])
    expect(await session.read('1')).toEqual(ask)
  })

  test('takes a summary for one at the beginning alone', async () => {
    const block = '<prior-conversation-summary>\nAll was done.\n</prior-conversation-summary>'
    const session = await open()
    await reconcile(session, [{ role: 'user', content: block }, next])
    await reconcile(session, [...session.messages(), { role: 'user', content: block }])
    expect((await session.log()).map(({ kind }) => kind)).toEqual([
      'checkpoint',
      'message',
      'message',
    ])
  })

  test('keeps the report of a child, which a host with its own history does not have', async () => {
    const session = await open({ window: { context: 32_000 } })
    const history = [ask, thought, read]
    await reconcile(session, history)
    await session.openChild({ id: 'a/review', task: 'Review the parser' })
    await session.receive('a/review', 'The parser lacks a bracket in line two.')
    expect(await reconcile(session, history)).toEqual({ appended: [] })
    expect(session.messages()).toHaveLength(4)
    const { appended } = await reconcile(session, [...history, answer])
    expect(appended).toHaveLength(1)
    expect(JSON.stringify(session.messages())).toContain('lacks a bracket in line two')
    // Whoever sends back what the session rendered has it too, once.
    expect(await reconcile(session, [...session.messages(), next])).toMatchObject({
      appended: [{ message: next }],
    })
    expect(await said(session)).toHaveLength(6)
  })

  test('keeps the parts of a joined message that are new', async () => {
    const session = await open()
    await reconcile(session, [ask])
    const joined: Message = {
      role: 'user',
      content: [ask, next].map(({ content }) => ({ type: 'text', text: String(content) })),
    }
    const { appended } = await reconcile(session, [joined])
    expect(appended).toMatchObject([{ message: { content: [{ text: 'Then add it.' }] } }])
  })

  test('lets two that come at once append once', async () => {
    const session = await open()
    await Promise.all([reconcile(session, [ask, answer]), reconcile(session, [ask, answer])])
    expect(await said(session)).toEqual([ask, answer])
  })
})
