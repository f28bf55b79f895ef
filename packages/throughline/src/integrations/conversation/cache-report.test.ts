import { expect, test } from 'vitest'
import { memoryStore } from '../../stores/memory.ts'
import { openConversation } from './index.ts'
import type { Message } from '../../log/message.ts'

const long = 'word '.repeat(900)
const said = (index: number): Message => ({
  role: index % 2 === 0 ? 'user' : 'assistant',
  content: `${index}. ${long}`,
})

test('a conversation says what the next request finds in the cache, and why not more', async () => {
  let clock = 0
  const store = memoryStore()
  const window = { context: 16_000 }
  const options = { store, id: 'a', window, system: 'Be brief.', now: () => clock }
  const conversation = await openConversation(options)
  expect(await conversation.cache()).toMatchObject({ hits: 0, broken: 'nothing-sent' })
  const all: Message[] = [said(0)]
  await conversation.fit(all)
  const usage = { inputTokens: 1_000, outputTokens: 900, cacheReadTokens: 250 }
  await conversation.note({ messages: [said(1)] as never, usage })
  const grown = await conversation.cache()
  expect(grown.broken).toBeUndefined()
  expect(grown.hits).toBeGreaterThan(grown.tokens * 0.3)
  expect(grown.hits).toBeLessThan(grown.tokens)
  expect(grown).toMatchObject({ lastRead: 250, isExpired: false })

  all.push(said(1), { role: 'user', content: 'And?' })
  await conversation.take(all)
  clock += 300_001
  expect((await conversation.cache()).isExpired).toBe(true)
  for (let index = 3; index < 20; index++) all.push(said(index))
  await conversation.take(all)
  await conversation.session.fit()
  const compacted = await conversation.cache()
  expect(compacted.broken).toBe('compacted')
  expect(compacted.hits).toBeLessThan(compacted.tokens / 4)

  await conversation.fit([...all, { role: 'user', content: 'Go on.' }])
  // The compaction came before this request was made; the next one begins with all of it.
  const sent = await conversation.cache()
  expect(sent.broken).toBeUndefined()
  expect(sent.last?.broken).toBe('compacted')
  expect(sent.last?.hits).toBeLessThan((sent.last?.tokens ?? 0) / 4)
  await conversation.take([...all, { role: 'user', content: 'Stop.' }])
  expect(['rewound', 'changed']).toContain((await conversation.cache()).broken)
})
