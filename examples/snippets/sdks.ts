import type Anthropic from '@anthropic-ai/sdk'
import type OpenAI from 'openai'
import { memoryStore, type Store, type Window } from 'throughline'
import {
  anthropicSummarizer,
  compact,
  openConversation as openAnthropic,
} from 'throughline/anthropic'
import { compactingSessionStore } from 'throughline/claude-agent-sdk'
import { openConversation, type Conversation, type GivenAnswer } from 'throughline/conversation'
import { openaiCompactor, openResponses } from 'throughline/openai'
import type { Message } from 'throughline'

// The lines of docs/sdks.md and docs/frameworks.md that no example has.

const window: Window = { context: 32_000 }
const system = 'You are careful.'
const tools: Anthropic.Tool[] = []

/** How many messages are left of a long conversation. */
export async function compacted(messages: Anthropic.MessageParam[]): Promise<number> {
  // docs: begin
  const { messages: shorter, report } = await compact(messages, { window, system, tools })
  // docs: end
  return report.action === 'none' ? messages.length : shorter.length
}

/** The answer of a provider that streams. */
export async function streamed(client: Anthropic): Promise<string> {
  const conversation = await openAnthropic<Anthropic.MessageParam>({
    store: memoryStore(),
    id: 'a',
    window,
  })
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Say something.' }]
  const request = { model: 'scripted', max_tokens: 1_000 }
  return asked()

  async function asked(): Promise<string> {
    // docs: begin
    const { response, messages: all } = await conversation.send(messages, (messages, { signal }) =>
      client.messages.stream({ ...request, messages }, { signal }).finalMessage(),
    )
    // docs: end
    const [first] = response.content
    return `${first?.type === 'text' ? first.text : ''} ${all.length}`
  }
}

/** What compacts a conversation over OpenAI's Responses. */
export async function withCompactor(client: OpenAI, store: Store): Promise<string> {
  // docs: begin
  const compactor = openaiCompactor(client, { model: 'gpt-5.4' })
  const conversation = await openResponses({ store, id: 'a', window, compactor })
  // docs: end
  return `${compactor.name} ${conversation.session.id}`
}

/** A host of one's own, whose provider refuses the first request. */
export async function ownHost(
  history: Message[],
  ask: (sent: readonly Message[]) => Promise<GivenAnswer>,
): Promise<Message[]> {
  const store = memoryStore()
  // docs: begin
  const conversation = await openConversation({ store, id: 'a', window: { context: 200_000 } })
  let sent = await conversation.fit(history)
  for (;;) {
    try {
      await conversation.note(await ask(sent))
      break
    } catch (error) {
      const again = await conversation.recover(error)
      if (!again) throw error
      sent = again
    }
  }
  // docs: end
  return sent
}

/** Where Anthropic's API clears old results itself, before anything is compacted. */
export function cleared(conversation: Conversation<Message, GivenAnswer>) {
  // docs: begin
  const { threshold } = conversation.session.budget() // where Throughline compacts, in tokens
  const context_management = {
    edits: [
      {
        type: 'clear_tool_uses_20250919',
        trigger: { type: 'input_tokens', value: Math.floor(threshold / 2) },
        exclude_tools: ['memory'],
      },
    ],
  }
  // docs: end
  return { threshold, context_management }
}

export function summarizerOfAnthropic(client: Anthropic): string {
  // docs: begin
  const summarizer = anthropicSummarizer(client, { model: 'claude-haiku-4-5' })
  // docs: end
  return summarizer.name
}

type Key = { projectKey: string; sessionId: string }

/** Stands for the store in memory of the Claude Agent SDK. */
class InMemorySessionStore {
  readonly entries: { type: string; uuid: string }[] = []
  async append(_key: Key, entries: { type: string; uuid: string }[]): Promise<void> {
    this.entries.push(...entries)
  }
  async load(): Promise<{ type: string; uuid: string }[] | null> {
    return this.entries
  }
}

const messages: unknown[] = []

/** Stands for the SDK's own, which starts a client. */
async function* query(asked: {
  prompt: string
  options: { sessionStore: InMemorySessionStore; resume: string }
}) {
  const { sessionStore, resume } = asked.options
  yield { prompt: asked.prompt, resume, loaded: await sessionStore.load() }
}

function show(message: unknown): void {
  messages.push(message)
}

/** What a query of the Claude Agent SDK is given. */
export async function resumed(prompt: string, id: string): Promise<unknown[]> {
  // docs: begin
  const window = { context: 200_000 }
  const sessionStore = compactingSessionStore(new InMemorySessionStore(), { window })
  const options = { sessionStore, resume: id }
  for await (const message of query({ prompt, options })) show(message)
  // docs: end
  return messages
}
