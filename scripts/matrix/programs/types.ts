// What a strict project writes, for TypeScript alone.
import { compactMessages, memoryStore, openSession, run, type Message } from 'throughline'
import { openConversation } from 'throughline/conversation'
import { compact, openConversation as openAnthropic } from 'throughline/anthropic'
import { compactChat, openChat, openResponses } from 'throughline/openai'
import { googleCompaction } from 'throughline/google'
import { openGemini } from 'throughline/gemini'
import { sqliteStore } from 'throughline/sqlite'
import { startProvider } from 'throughline/testing/provider'

const store = memoryStore()
const window = { context: 200_000 }
const messages: Message[] = [{ role: 'user', content: 'hi' }]
const { messages: shorter } = await compactMessages(messages, { window })
export const session = await openSession({ store, id: 'a', window })
export const conversation = await openConversation({ store, id: 'b', window })
export const sent: Message[] = await conversation.fit(shorter)
const step = async () => ({
  messages: [{ role: 'assistant' as const, content: 'hello' }],
  finish: 'stop' as const,
})
export const { reason } = await run({ session, step })
export const doors = [compact, compactChat, openAnthropic, openChat, openGemini, openResponses]
export const others = [googleCompaction, sqliteStore, startProvider]
