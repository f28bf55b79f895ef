import {
  isStepCount,
  streamText,
  tool,
  type LanguageModel,
  type ModelMessage,
  type ToolSet,
  type UIMessage,
} from 'ai'
import { openai as openaiProvider } from '@ai-sdk/openai'
import { z } from 'zod'
import { memoryStore } from 'throughline'
import { aiSdkCompaction, aiSdkCompactor, modelSummarizer, toUiMessages } from 'throughline/ai-sdk'
import { scriptedModel } from 'throughline/testing/ai-sdk'
import type { SqliteStore } from 'throughline/sqlite'

// The lines of docs/ai-sdk.md, docs/how-to.md and docs/plugins.md that no example has.

const tools = {
  look: tool({ inputSchema: z.object({}), execute: () => 'all is well' }),
} satisfies ToolSet

const messages: ModelMessage[] = [{ role: 'user', content: 'Look around.' }]

function model(): Exclude<LanguageModel, string> {
  return scriptedModel({ script: [{ calls: [{ name: 'look' }] }, { text: 'All is well.' }] })
}

/** What the agent says; the model is scripted. */
export async function stream(
  openai: (id: string) => Exclude<LanguageModel, string>,
  sqliteStore: (options: { file: string }) => SqliteStore,
): Promise<string> {
  const chatId = 'chat'
  const stopWhen = isStepCount(5)
  // docs: begin
  const { model, prepareStep, onStepEnd } = aiSdkCompaction({
    model: openai('gpt-5'),
    store: sqliteStore({ file: 'sessions.db' }),
    id: chatId,
  })
  const result = streamText({ model, prepareStep, onStepEnd, tools, messages, stopWhen })
  // docs: end
  return result.text
}

/** The sizes of what an own `prepareStep` was given. */
export async function ownPrepareStep(): Promise<number[]> {
  const compaction = aiSdkCompaction({
    model: model(),
    store: memoryStore(),
    id: 'chat',
    window: { context: 200_000 },
  })
  const given: number[] = []
  const toolsFor = (messages: readonly object[]): (keyof typeof tools)[] => {
    given.push(messages.length)
    return ['look']
  }
  // docs: begin
  const prepareStep = compaction.prepareStepWith(({ messages }) => ({
    activeTools: toolsFor(messages),
  }))
  // docs: end
  const stopWhen = isStepCount(5)
  await streamText({ model: compaction.model, prepareStep, tools, messages, stopWhen }).text
  return given
}

/** What the user is shown where the host's reminders are described as such. */
export async function described(): Promise<UIMessage[]> {
  const store = memoryStore()
  const options = { model: model(), store, id: 'chat', window: { context: 200_000 } }
  const isReminder = (message: object): boolean => JSON.stringify(message).includes('reminder')
  // docs: begin
  const compaction = aiSdkCompaction({
    ...options,
    describe: (message) => (isReminder(message) ? { origin: 'harness' } : {}),
  })
  // docs: end
  const stopWhen = isStepCount(5)
  const { prepareStep } = compaction
  const said: ModelMessage[] = [...messages, { role: 'user', content: 'A reminder.' }]
  await streamText({ model: compaction.model, prepareStep, tools, messages: said, stopWhen }).text
  return shown(compaction)
}

async function shown(compaction: ReturnType<typeof aiSdkCompaction>): Promise<UIMessage[]> {
  // docs: begin
  const session = await compaction.session()
  const messages = toUiMessages(await session.history()) // what the user saw, to begin useChat with
  // docs: end
  return messages
}

export function summarizerOfOpenai(): string {
  const openai = openaiProvider
  // docs: begin
  const summarizer = modelSummarizer(openai('gpt-5-mini'))
  // docs: end
  return summarizer.name
}

/** Compaction by the model's own provider. */
export async function compactedByProvider(openai: typeof openaiProvider): Promise<string> {
  const store = memoryStore()
  // docs: begin
  const model = openai.responses('gpt-5.4')
  const providerOptions = { openai: { store: false } }
  const compactor = aiSdkCompactor({ model, providerOptions })
  const compaction = aiSdkCompaction({ store, id: 'a', model, compactor })
  // docs: end
  return `${compactor.name} ${(await compaction.session()).id}`
}
