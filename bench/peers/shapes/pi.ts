import { callsIn, resultsIn, textIn } from './neutral.ts'
import type { Message, TextPart, ToolCallPart } from 'throughline'
import { tailShare, type Model } from '../adapter.ts'

/** A message in the form of pi and openclaw, as far as it is used here. */
export interface PiMessage {
  role: string
  content?: string | PiPart[]
  toolCallId?: string
  toolName?: string
  summary?: string
  [field: string]: unknown
}

interface PiPart {
  type: string
  text?: string
  id?: string
  name?: string
  arguments?: Record<string, unknown>
}

export interface PiEntry {
  type: 'message' | 'compaction'
  id: string
  parentId: string | null
  timestamp: string
  [field: string]: unknown
}

const noUsage = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
}

/** The same time for all: no clock decides what is kept. */
const timestamp = 0

/** The model that pi and openclaw believe they are talking to. */
export const piModel = {
  id: 'stand-in',
  name: 'stand-in',
  api: 'openai-completions',
  provider: 'stand-in',
  baseUrl: 'http://127.0.0.1',
  reasoning: false,
  input: ['text'],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 1_000_000,
  maxTokens: 0,
}

/**
 * If the newest result alone is larger than the tail, both find no place to cut; then the tail is
 * doubled.
 */
export function tailsToTry(keep: number): number[] {
  return Array.from({ length: 8 }, (_, times) => Math.floor(keep * tailShare * 2 ** times))
}

/** The first answer that is one. */
export function firstOf<Item, Answer>(
  items: readonly Item[],
  ask: (item: Item) => Answer | undefined,
): Answer | undefined {
  for (const item of items) {
    const answer = ask(item)
    if (answer !== undefined) return answer
  }
  return undefined
}

/** The messages as entries of a session, after the compaction that came before them. */
export function toPiEntries(messages: readonly Message[], previous: string | undefined): PiEntry[] {
  const own = previous === undefined ? messages : messages.slice(1)
  const entries = own.flatMap(toPi).map((message, index) => entryOf(index + 1, { message }))
  if (previous === undefined) return entries
  const firstKeptEntryId = entries[0]?.id ?? 'm1'
  const compaction = { summary: previous, firstKeptEntryId, tokensBefore: 0 }
  return [{ ...entryOf(0, compaction), type: 'compaction', parentId: null }, ...entries]
}

function entryOf(number: number, fields: Record<string, unknown>): PiEntry {
  const parentId = number > 0 ? `m${number - 1}` : null
  return { type: 'message', id: `m${number}`, parentId, timestamp: '1970-01-01', ...fields }
}

function toPi(message: Message): PiMessage[] {
  const text = textIn(message)
  if (message.role === 'tool') {
    return resultsIn(message).map(({ id, name, text, failed }) => ({
      role: 'toolResult',
      toolCallId: id,
      toolName: name,
      content: [{ type: 'text', text }],
      isError: failed,
      timestamp,
    }))
  }
  if (message.role !== 'assistant') return [{ role: 'user', content: text, timestamp }]
  const calls = callsIn(message).map(({ id, name, input }) => {
    return { type: 'toolCall', id, name, arguments: input }
  })
  return [
    {
      role: 'assistant',
      content: [...(text === '' ? [] : [{ type: 'text', text }]), ...calls],
      api: piModel.api,
      provider: piModel.provider,
      model: piModel.id,
      usage: noUsage,
      stopReason: calls.length > 0 ? 'toolUse' : 'stop',
      timestamp,
    },
  ]
}

export function fromPi(messages: readonly PiMessage[]): Message[] {
  return messages.map((message): Message => {
    const parts = partsOf(message)
    const text = parts.map(({ text }) => text ?? '').join('')
    if (message.role === 'toolResult') {
      const { toolCallId = '', toolName = '' } = message
      const output = { type: 'text' as const, value: text }
      return { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] }
    }
    if (message.role !== 'assistant') return { role: 'user', content: text }
    return {
      role: 'assistant',
      content: parts.flatMap((part): (TextPart | ToolCallPart)[] => {
        if (part.type === 'text') return [{ type: 'text' as const, text: part.text ?? '' }]
        const { id: toolCallId = '', name: toolName = '', arguments: input } = part
        return part.type === 'toolCall'
          ? [{ type: 'tool-call' as const, toolCallId, toolName, input }]
          : []
      }),
    }
  })
}

function partsOf({ content = '' }: PiMessage): PiPart[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}

/** Speaks as a provider's stream does, with what the model answers. */
export function streamOf(model: Model, most: () => number) {
  return async (_: unknown, context: { systemPrompt?: string; messages: PiMessage[] }) => {
    const said = context.messages.flatMap(partsOf).map(({ text }) => text ?? '')
    const prompt = [context.systemPrompt ?? '', ...said].join('\n')
    const text = model.answer({ prompt, most: most() })
    const message = {
      role: 'assistant',
      content: [{ type: 'text', text }],
      api: piModel.api,
      provider: piModel.provider,
      model: piModel.id,
      usage: noUsage,
      stopReason: 'stop',
      timestamp,
    }
    return {
      result: async () => message,
      async *[Symbol.asyncIterator]() {
        yield { type: 'done', reason: 'stop', message }
      },
    }
  }
}
