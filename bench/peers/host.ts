import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { grown } from './grown.ts'
import { linesOf, standIn, type Asked } from './stand-in.ts'
import type { Message } from 'throughline'
import type { Adapter, Model } from './adapter.ts'
import type { HostAnswer, HostRequest } from './protocol.ts'

/** Each peer is loaded when it is opened, so one that fails to load doesn't affect the others. */
const adapters: Record<string, () => Promise<Adapter>> = {
  'langchain-summarization': async () =>
    (await import('./adapters/langchain-summarization.ts')).langchainSummarization,
  'langchain-summarization-of-all': async () =>
    (await import('./adapters/langchain-summarization.ts')).langchainSummarizationOfAll,
  'langchain-context-editing': async () =>
    (await import('./adapters/langchain-context-editing.ts')).langchainContextEditing,
  'langchain-trim-messages': async () =>
    (await import('./adapters/langchain-trim-messages.ts')).langchainTrimMessages,
  'ai-sdk-prune-messages': async () =>
    (await import('./adapters/ai-sdk-prune-messages.ts')).aiSdkPruneMessages,
  pi: async () => (await import('./adapters/pi.ts')).pi,
  'gemini-cli': async () => (await import('./adapters/gemini-cli.ts')).geminiCli,
  cline: async () => (await import('./adapters/cline.ts')).cline,
  deepagents: async () => (await import('./adapters/deepagents.ts')).deepagents,
  openclaw: async () => (await import('./adapters/openclaw.ts')).openclaw,
  'mastra-token-limiter': async () =>
    (await import('./adapters/mastra-token-limiter.ts')).mastraTokenLimiter,
  'throughline-local': async () => (await import('./adapters/throughline.ts')).throughlineLocal,
  'throughline-model': async () => (await import('./adapters/throughline.ts')).throughlineModel,
  'throughline-prune': async () => (await import('./adapters/throughline.ts')).throughlinePrune,
}

let adapter: Adapter | undefined
let answers: string | undefined
let instructions: ReadonlySet<string> = new Set()

// The process that started this one is gone, so its work is pointless.
process.on('disconnect', () => process.exit())
process.on('message', (message: HostRequest) => {
  void answer(message)
    .catch((error: unknown): HostAnswer => ({ type: 'failed', problem: problemOf(error) }))
    .then((reply) => process.send?.(reply))
})

async function answer(message: HostRequest): Promise<HostAnswer> {
  if (message.type === 'open') {
    answers = message.answers
    adapter = await load(message.peer)
    instructions = await instructionsOf(adapter)
    const { compact: _, ...about } = adapter
    return { type: 'opened', about: { ...about, version: versionOf(about.package) } }
  }
  if (!adapter) throw new Error('No peer is open.')
  const asked: Asked[] = []
  const model = standIn(answers, (one) => asked.push(one), instructions)
  const request = { ...message.request, model }
  if (message.type === 'compact') {
    return { type: 'compacted', answer: await adapter.compact(request), asked }
  }
  const messages = grown(request.messages, message.copies)
  globalThis.gc?.()
  const before = process.memoryUsage().heapUsed
  const startedAt = performance.now()
  await adapter.compact({ ...request, messages })
  const took = performance.now() - startedAt
  const heap = Math.max(process.memoryUsage().heapUsed - before, 0)
  const own = took - asked.reduce((sum, one) => sum + one.took, 0)
  return { type: 'timed', timing: { own, heap } }
}

/** The lines that an engine writes around any conversation, found by giving it an empty one. */
async function instructionsOf({ compact }: Adapter): Promise<Set<string>> {
  const lines = new Set<string>()
  const model: Model = {
    answer: ({ prompt }) => {
      for (const line of linesOf(prompt)) lines.add(line)
      return 'nothing'
    },
  }
  const messages = Array.from({ length: 200 }, (_, index): Message => {
    return { role: index % 2 === 0 ? 'user' : 'assistant', content: 'a'.repeat(100) }
  })
  await compact({ messages, keep: 1_000, model })
  return lines
}

async function load(peer: string): Promise<Adapter> {
  const found = await adapters[peer]?.()
  if (!found) throw new Error(`There is no peer ${peer}.`)
  return found
}

function versionOf(name: string): string {
  const folder = name === 'throughline' ? '../../node_modules' : 'node_modules'
  const path = join(import.meta.dirname, folder, name, 'package.json')
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version
}

function problemOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}
