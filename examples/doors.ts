import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type Anthropic from '@anthropic-ai/sdk'
import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import type OpenAI from 'openai'
import {
  compactMessages,
  defaultPolicy,
  memoryStore,
  messageText,
  openSession,
  run,
  type CompactedMessages,
  type Message,
  type RunResult,
  type Store,
} from 'throughline'
import { loadConfig, pluginsOf, policyOf, windowFor } from 'throughline/config'
import {
  contextOf,
  counterOf,
  factsOf,
  historyOf,
  logOf,
  measure,
  planCompaction,
} from 'throughline/engine'
import { compactContents } from 'throughline/google'
import { anthropicCompactor } from 'throughline/anthropic'
import { contextEngine } from 'throughline/hosts'
import { langchainSummarizer } from 'throughline/langchain'
import { compactInput, openaiSummarizer } from 'throughline/openai'
import { sqliteStore, StoreFailedError } from 'throughline/sqlite'
import { slotConformance, storeDamageConformance } from 'throughline/testing'

// A small use of each public name that the other examples have no need of.

type Plan = ReturnType<typeof planCompaction>

/** What a compaction of these messages would do, and what code reads out of them. */
export function planned(messages: readonly Message[], window: number) {
  const log = logOf(messages)
  const context = contextOf(log)
  const counter = counterOf({ ratio: 1 })
  const plan: Plan = planCompaction({
    log,
    context,
    counter,
    facts: () => factsOf(log),
    frame: {},
    window: { context: window },
    policy: defaultPolicy,
    trigger: 'manual',
  })
  return {
    plan,
    rules: factsOf(log).rules.map(({ text }) => text),
    said: historyOf(log).entries.length,
    tokens: measure(context, {}, counter, defaultPolicy.summaryRole).tokens,
  }
}

/** Compacts messages as the configuration of a folder says. */
export async function configured(
  messages: readonly Message[],
  { cwd, model }: { cwd: string; model: string },
): Promise<CompactedMessages<Message>> {
  const configuration = await loadConfig({ cwd: resolve(cwd), env: {} })
  const { value = { context: 200_000 } } = windowFor(configuration, model) ?? {}
  return compactMessages(messages, {
    window: value,
    policy: policyOf(configuration, model),
    plugins: pluginsOf(configuration),
  })
}

/** Runs a loop whose model says one word. */
export async function answered(): Promise<RunResult> {
  const session = await openSession({ store: memoryStore(), id: 'a', window: { context: 32_000 } })
  await session.say('Say hello.')
  return run({
    session,
    step: async () => ({
      messages: [{ role: 'assistant', content: 'hello' }],
      finish: 'stop',
    }),
  })
}

/** Why a store could not be opened or written. */
export function whyNot(file: string): string {
  try {
    sqliteStore({ file }).close()
    return ''
  } catch (error) {
    return StoreFailedError.isInstance(error) ? error.failure : 'unknown'
  }
}

/** A host of one's own with the engine in its slot, which does what every host has to do. */
export const ownHost = {
  cases: slotConformance,
  create(store: Store) {
    const engine = contextEngine({ store })
    const told = (messages: readonly Said[]) =>
      messages.map(({ key, by, text }) => ({ key, ...saidBy[by](text) }))
    return {
      async request(session: string, messages: readonly Said[]) {
        const { messages: shown } = await engine.assemble(session, { messages: told(messages) })
        return shown.map(messageText)
      },
      async commit(session: string, key: string, messages: readonly Said[]) {
        await engine.commit(session, { key, messages: told(messages) })
      },
      async compact(session: string) {
        await engine.compactNext(session, { share: 0.5 })
      },
      fork: engine.fork,
      end: engine.receive,
    }
  },
}

/** Files of one's own whose bytes may rot; `open` opens the store over them. */
export const ownFiles = {
  cases: storeDamageConformance,
  create: (folder: string, open: () => Store) => ({
    open,
    close: () => {},
    read: () =>
      new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))])),
    write(all: ReadonlyMap<string, Uint8Array>) {
      for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true })
      for (const [name, bytes] of all) writeFileSync(join(folder, name), bytes)
    },
  }),
}

interface Said {
  key: string
  by: 'human' | 'agent'
  text: string
}

const saidBy = {
  human: (content: string) =>
    ({ at: 0, origin: 'human', message: { role: 'user', content } }) as const,
  agent: (content: string) =>
    ({ at: 0, origin: 'model', message: { role: 'assistant', content }, finish: 'stop' }) as const,
}

/** Who writes summaries over the SDK that an agent has anyway, by their names. */
export function writersOver(openai: OpenAI, anthropic: Anthropic, model: BaseChatModel): string[] {
  const writers = [
    openaiSummarizer(openai, { model: 'gpt-5.4' }),
    langchainSummarizer(model),
    anthropicCompactor(anthropic, { model: 'claude-opus-4-6' }),
  ]
  return writers.map(({ name }) => name)
}

/** One array of messages in the form of each API, compacted once. */
export async function compactedOnce(texts: readonly string[]): Promise<number[]> {
  const options = { window: { context: 8_000 } }
  const contents = texts.map((text, at) => ({
    role: at % 2 === 0 ? 'user' : 'model',
    parts: [{ text }],
  }))
  const items = texts.map((content, at) => ({
    type: 'message' as const,
    role: at % 2 === 0 ? ('user' as const) : ('assistant' as const),
    content,
  }))
  const { messages: contentsLeft } = await compactContents(contents, options)
  const { messages: itemsLeft } = await compactInput(items, options)
  return [contentsLeft.length, itemsLeft.length]
}
