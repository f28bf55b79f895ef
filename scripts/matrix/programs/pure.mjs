// What every runtime can do: compact messages, keep a session, and a conversation.
import { compactMessages, memoryStore, openSession } from 'throughline'
import { openConversation } from 'throughline/conversation'
import { compact } from 'throughline/anthropic'

export async function work() {
  const messages = Array.from({ length: 400 }, (_, turn) => ({
    role: turn % 2 === 0 ? 'user' : 'assistant',
    content: `${turn} ${'word '.repeat(300)}`,
  }))
  const window = { context: 32_000 }
  const { messages: shorter } = await compactMessages(messages, { window })
  const { messages: natives } = await compact(messages, { window })
  const store = memoryStore()
  const conversation = await openConversation({ store, id: 'a', window })
  const sent = await conversation.fit(messages)
  await conversation.note({ messages: [{ role: 'assistant', content: 'Done.' }] })
  const session = await openSession({ store, id: 'a', window })
  const log = await session.log()
  const counts = [shorter, natives, sent].map(({ length }) => length)
  if (counts.some((count) => count >= messages.length)) throw new Error('nothing was compacted')
  return `${messages.length} messages became ${counts.join(', ')}; ${log.length} entries`
}
