import { MiddlewareOptionError } from './errors.ts'
import type { BaseLanguageModel } from '@langchain/core/language_models/base'
import type { BaseMessage } from '@langchain/core/messages'
import type { SessionOptions } from '../../session/options.ts'
import type { Store } from '../../session/store.ts'
import type { Window } from '../../tokens/window.ts'

/** Sizes of a conversation, all of which must be reached; as in `summarizationMiddleware`. */
export interface ContextSize {
  /** A share of the model's window. */
  fraction?: number
  tokens?: number
  messages?: number
}

/** How much of the newest messages is kept word for word: one of these. */
type KeepSize = { fraction: number } | { tokens: number } | { messages: number }

/** The session options that the middleware sets itself. */
type Decided = 'store' | 'id' | 'window' | 'system' | 'tools' | 'model'

/** The options of `summarizationMiddleware` that mean the same here, and those of a session. */
export interface CompactionMiddlewareOptions extends Partial<Omit<SessionOptions, Decided>> {
  /** Writes the summaries: a chat model, or its name. Without it, they are local. */
  model?: string | BaseLanguageModel
  /**
   * When to compact even if everything fits: when any of these is reached. What doesn't fit is
   * always compacted.
   */
  trigger?: ContextSize | readonly ContextSize[]
  /**
   * Roughly how much of the newest messages is kept word for word; the policy's value by default.
   */
  keep?: KeepSize
  /** Counts the tokens for `trigger` and `keep`; by default the session's counter. */
  tokenCounter?: (messages: BaseMessage[]) => number | Promise<number>
  /** What else a summary should contain; added after our own instruction. */
  summaryPrompt?: string
  /** Where the whole log is kept; by default in memory, for the newest 100 runs. */
  store?: Store
  /** The session of a run; the thread's id by default. */
  id?: (thread: { thread_id?: string; [key: string]: unknown }) => string
  /**
   * By default the value that LangChain's model profile or our own table has for the agent's model.
   */
  window?: Window
}

const refused: ReadonlyMap<string, string> = new Map([
  ['summaryPrefix', 'a summary is in its own element, by which it is recognized again'],
  [
    'trimTokensToSummarize',
    'everything that is summarized is read, in parts if the summarizer’s window is too small',
  ],
  ['maxTokensBeforeSummary', 'use trigger: { tokens: … }'],
  ['messagesToKeep', 'use keep: { messages: … }'],
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
    const problem = 'the conversation is passed in its own element: remove {messages}'
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
    ? 'it accepts fraction, tokens or messages, and keep only one of them'
    : fraction !== undefined && !(fraction > 0 && fraction <= 1)
      ? `fraction must be above 0 and at most 1, not ${fraction}`
      : [tokens, messages].some((count) => count !== undefined && !(count >= 0 && count < Infinity))
        ? 'tokens and messages must be numbers, 0 or more'
        : undefined
  if (problem !== undefined) throw new MiddlewareOptionError({ option, problem })
}
