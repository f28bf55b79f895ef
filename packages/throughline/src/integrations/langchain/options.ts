import { MiddlewareOptionError } from './errors.ts'
import type { BaseLanguageModel } from '@langchain/core/language_models/base'
import type { BaseMessage } from '@langchain/core/messages'
import type { SessionOptions } from '../../session/options.ts'
import type { Store } from '../../session/store.ts'
import type { Window } from '../../tokens/window.ts'

/** Sizes of a conversation, all of which must be reached; as `summarizationMiddleware` has them. */
export interface ContextSize {
  /** A share of the model's window. */
  fraction?: number
  tokens?: number
  messages?: number
}

/** How much of the newest is kept word for word: one of these. */
export type KeepSize = { fraction: number } | { tokens: number } | { messages: number }

/** What a session decides by itself in an agent of LangChain. */
type Decided = 'store' | 'id' | 'window' | 'system' | 'tools' | 'model'

/** The options of `summarizationMiddleware` that mean the same here, and those of a session. */
export interface CompactionMiddlewareOptions extends Partial<Omit<SessionOptions, Decided>> {
  /** Writes the summaries: a chat model, or its name. Without one they are local. */
  model?: string | BaseLanguageModel
  /** When to compact though all fits: where any of these is reached. What does not fit always is. */
  trigger?: ContextSize | readonly ContextSize[]
  /** How much of the newest is kept word for word, about; by default what the policy says. */
  keep?: KeepSize
  /** Counts what `trigger` and `keep` speak of; by default as the session counts. */
  tokenCounter?: (messages: BaseMessage[]) => number | Promise<number>
  /** What a summary is to hold besides: said to the summarizer behind our own instruction. */
  summaryPrompt?: string
  /** Where the whole log is kept; by default in memory, for the newest 100 runs. */
  store?: Store
  /** The session of a run; by default the thread's id. */
  id?: (thread: { thread_id?: string; [key: string]: unknown }) => string
  /** By default what LangChain's model profile or our own table knows of the agent's model. */
  window?: Window
}

const refused: ReadonlyMap<string, string> = new Map([
  ['summaryPrefix', 'a summary stands in an element of its own, by which it is known again'],
  [
    'trimTokensToSummarize',
    'all that is summarized is read, in parts where the window of the summarizer is too small',
  ],
  ['maxTokensBeforeSummary', 'write trigger: { tokens: … }'],
  ['messagesToKeep', 'write keep: { messages: … }'],
])

/** @throws MiddlewareOptionError */
export function checkOptions(options: CompactionMiddlewareOptions): void {
  for (const [option, problem] of refused) {
    if (Reflect.get(options, option) !== undefined)
      throw new MiddlewareOptionError({ option, problem })
  }
  const { trigger, keep, summaryPrompt } = options
  for (const size of listOfSizes(trigger)) checkSize('trigger', size, Object.keys(size).length > 0)
  if (keep) checkSize('keep', keep, Object.keys(keep).length === 1)
  if (summaryPrompt?.includes('{messages}')) {
    const problem = 'the conversation is given in an element of its own: leave {messages} out'
    throw new MiddlewareOptionError({ option: 'summaryPrompt', problem })
  }
}

export function listOfSizes(
  trigger: CompactionMiddlewareOptions['trigger'],
): readonly ContextSize[] {
  if (trigger === undefined) return []
  return Array.isArray(trigger) ? (trigger as readonly ContextSize[]) : [trigger as ContextSize]
}

function checkSize(option: string, size: ContextSize, isWhole: boolean): void {
  const { fraction, tokens, messages } = size
  const problem = !isWhole
    ? 'it takes fraction, tokens or messages, and keep one of them alone'
    : fraction !== undefined && !(fraction > 0 && fraction <= 1)
      ? `fraction is above 0 and at most 1, not ${fraction}`
      : [tokens, messages].some((count) => count !== undefined && !(count >= 0 && count < Infinity))
        ? 'tokens and messages are numbers, and not below 0'
        : undefined
  if (problem !== undefined) throw new MiddlewareOptionError({ option, problem })
}
