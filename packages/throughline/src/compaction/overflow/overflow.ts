import { errorWords, type ErrorWords } from '../../json/error-words.ts'
import { hosts, type OverflowWords } from './words/hosts.ts'
import { localServers } from './words/local-servers.ts'
import { makers } from './words/makers.ts'
import type { ReasoningRefusal } from '../../log/context/kept-reasoning.ts'

/** One provider's words for reasoning that it does not take, or wants: each line is its own test. */
interface ReasoningWords {
  provider: string
  says: ReasoningRefusal
  /** What it really said, word for word. */
  message: string
  /** Where that can be read. */
  source: string
  pattern: RegExp
}

/**
 * Reads from a provider's error whether it refused reasoning that was sent back to it, or a call
 * that came without. `undefined` for any other problem.
 * @example
 * reasoningRefusalOf(new Error('messages.1.content.0: Invalid `signature` in `thinking` block'))
 * // 'refuses'
 */
export function reasoningRefusalOf(error: unknown): ReasoningRefusal | undefined {
  for (const { text } of errorWords(error)) {
    const words = reasoningWords.find(({ pattern }) => pattern.test(text))
    if (words) return words.says
  }
  return undefined
}

/**
 * Whether a provider's error says that it does not take its own compaction back: its key is gone, the
 * beta is off, another account or model made it.
 * @example
 * blockRefusalOf(new Error('400 Encrypted content for item cmp_1 could not be verified')) // true
 */
export function blockRefusalOf(error: unknown): boolean {
  return errorWords(error).some(({ statuses, text }) => {
    if (statuses.some((status) => otherStatuses.has(status) || status >= 500)) return false
    return blockWords.test(text)
  })
}

// `The encrypted content … could not be verified` may name a reasoning item, `rs_…`, which is another
// matter; https://github.com/openai/codex/issues/36704 has it for `cmp_…`. Anthropic's error codes
// begin with `compaction_`, and without the beta `compaction` is no type of a block.
const blockWords =
  /\bcmp_\w|compaction_(?:block_(?:ambiguous|misplaced)|content_mismatch|signature_invalid|tool_changes_mismatch|unavailable)|invalid_encrypted_content|encrypted content (?!for item rs_)\S{1,200}(?: \S{1,100}){0,4} could not be (?:verified|decrypted)|(?:tag|type|item)s? [^\n]{0,40}['"`]compaction['"`]/i

/** The words of every provider. To add one, add a line. */
export const reasoningWords: readonly ReasoningWords[] = [
  {
    provider: 'anthropic',
    says: 'demands',
    message:
      'messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost set of `tool_use` and `tool_result` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable `thinking`.',
    source: 'https://github.com/anomalyco/opencode/issues/3077',
    pattern: /expected `?thinking`? or `?redacted_thinking`?, but found/i,
  },
  {
    provider: 'deepseek',
    says: 'demands',
    message: 'The `reasoning_content` in the thinking mode must be passed back to the API.',
    source: 'https://github.com/anomalyco/opencode/issues/24135',
    pattern: /`?reasoning_content`? in the thinking mode must be passed back/i,
  },
  {
    provider: 'deepseek (Messages)',
    says: 'demands',
    message: 'The `content[].thinking` in the thinking mode must be passed back to the API.',
    source: 'https://github.com/esengine/DeepSeek-Reasonix/issues/8902',
    pattern: /`?content\[\]\.thinking`? in the thinking mode must be passed back/i,
  },
  {
    provider: 'moonshot',
    says: 'demands',
    message:
      'thinking is enabled but reasoning_content is missing in assistant tool call message at index 2',
    source: 'https://github.com/continuedev/continue/issues/11600',
    pattern: /thinking is enabled but reasoning_content is missing/i,
  },
  {
    provider: 'anthropic',
    says: 'refuses',
    message:
      'messages.1.content.6: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.',
    source: 'https://github.com/anthropics/claude-code/issues/63246',
    pattern:
      /`?thinking`? or `?redacted_thinking`? blocks in the latest assistant message cannot be/i,
  },
  {
    provider: 'anthropic',
    says: 'refuses',
    message: 'messages.1.content.0: Invalid `signature` in `thinking` block',
    source: 'https://github.com/ding113/claude-code-hub/issues/518',
    pattern: /invalid `?signature`? in `?thinking`? block/i,
  },
  {
    provider: 'anthropic',
    says: 'refuses',
    message:
      'messages.1.content.0: When thinking is disabled, an `assistant` message in the final position cannot contain `thinking`. To use thinking blocks, enable `thinking` in your request.',
    source: 'https://github.com/tailcallhq/forgecode/issues/1853',
    pattern:
      /when thinking is disabled, an `?assistant`? message [^\n]{0,40}cannot contain `?thinking/i,
  },
  {
    provider: 'groq',
    says: 'refuses',
    message:
      "'messages.1' : for 'role:assistant' the following must be satisfied[('messages.1' : property 'reasoning_content' is unsupported)]",
    source: 'https://github.com/janhq/jan/issues/8136',
    pattern: /property '?reasoning(?:_content)?'? is unsupported/i,
  },
  {
    provider: 'openai',
    says: 'refuses',
    message:
      "Item 'rs_0c3876fcd4da19ef00692a14046bc8819eba6941c05c5ab7e7' of type 'reasoning' was provided without its required following item.",
    source: 'https://github.com/continuedev/continue/issues/8933',
    pattern: /of type 'reasoning' was provided without its required following item/i,
  },
  {
    provider: 'openai',
    says: 'refuses',
    message:
      '{"error":{"message":"The encrypted content gAAA...DQ== could not be verified.","type":"invalid_request_error","param":null,"code":"invalid_encrypted_content"}}',
    source: 'https://github.com/openai/codex/issues/8145',
    pattern:
      /invalid_encrypted_content|the encrypted content \S{1,200}(?: for item \S{1,100})? could not be verified/i,
  },
]

/** What a provider reported about a context that was too long. */
export interface Overflow {
  /** The model's limit in tokens, if the provider names it. */
  limit?: number
  /** What exceeds the limit: the model's tokens, or the size of the request in bytes. */
  unit: 'tokens' | 'bytes'
}

/**
 * Reads from a provider's error whether the context was too long, in the words of any provider.
 * Returns `undefined` for any other problem: a rate limit, a key, a filter, an answer that is too
 * long. Accepts anything that was thrown or streamed: errors of the AI SDK and of the `openai` and
 * `@anthropic-ai/sdk` packages, bodies as objects or texts, and errors that wrap any of these.
 * @example
 * overflowOf(new Error('prompt is too long: 208310 tokens > 200000 maximum'))
 * // { limit: 200000, unit: 'tokens' }
 */
export function overflowOf(error: unknown): Overflow | undefined {
  for (const words of errorWords(error)) {
    const overflow = overflowIn(words)
    if (overflow) return overflow
  }
  return undefined
}

// Credit, keys and too many requests.
const otherStatuses = new Set([401, 402, 403, 407, 429])

// Of these alone, words that no table has are believed.
const mayBeTooLong = new Set([400, 422])

// Groq reports its tokens-per-minute limit as 413, Bedrock as "Too many tokens, please wait".
const otherMatters =
  /tokens per min|\btpm\b|rate[ _-]?limit|too many requests|throttl|please wait before trying/i

function overflowIn({ statuses, text }: ErrorWords): Overflow | undefined {
  if (statuses.some((status) => otherStatuses.has(status)) || otherMatters.test(text)) {
    return undefined
  }
  const found = overflowWords.flatMap((words) => {
    const match = words.pattern.exec(text)
    return match ? [readingOf(words, match)] : []
  })
  // An output limit as large as the window fits no context, however short.
  if (found.some(({ limit = Infinity, output = 0 }) => output >= limit)) return undefined
  const best = found.find(({ limit }) => limit !== undefined) ?? found[0]
  if (best) return { unit: best.unit, ...(best.limit !== undefined && { limit: best.limit }) }
  if (statuses.includes(413)) return { unit: 'bytes' }
  const refused = statuses.every((status) => status < 400 || mayBeTooLong.has(status))
  return refused && saysTooLong(text) ? { unit: 'tokens' } : undefined
}

function readingOf(
  words: OverflowWords,
  { groups }: RegExpExecArray,
): Overflow & { output?: number } {
  const limit = tokensOf(groups?.['limit'])
  const output = tokensOf(groups?.['output'])
  return {
    unit: words.unit ?? 'tokens',
    ...(limit !== undefined && { limit }),
    ...(output !== undefined && { output }),
  }
}

/** Reads both `200,000` and `200000`. */
function tokensOf(text: string | undefined): number | undefined {
  const tokens = Number(text?.replace(/[,.]/g, ''))
  return Number.isSafeInteger(tokens) && tokens > 0 ? tokens : undefined
}

/** The words of every provider. To add one, add a line to a table: the line is its own test. */
export const overflowWords: readonly OverflowWords[] = [...makers, ...hosts, ...localServers]

// Fewer signs than a line between them: what is too long, and what it is too long for.
const too =
  /(?:\b(?:inputs?|prompts?|conversation|context|history|messages|tokens) [^\n]{0,100}?|\b)(?:exceed(?:s|ed|ing)?|too (?:long|large|big|many)|(?:longer|greater|larger|more) than|over|above|beyond|reached|full)\b/i
const bound =
  /\b(?:context[ _-](?:window|length|size|limit)|(?:maximum|model) context|(?:input|prompt|sequence) (?:length|limit|tokens?)|token (?:limit|count)|n_ctx|max_(?:model|seq)_len)\b/i
const codes =
  /\b(?:tokens_limit_reached|token_quantity_exceeded|max_prompt_tokens_exceeded|(?:model_)?context_(?:window|size|limit)_exceeded|(?:input|prompt|context)_too_long)\b/i

/** What an answer may hold, a picture and a count of things are other matters. */
const otherBounds =
  /\bmax(?:imum)?[ _]?(?:(?:completion|output|new)[ _]?)?tokens\b|\b(?:output|completion)[ _]tokens?\b|\bimages?\b|\bpixels\b|\bquota\b|\barray too long\b/i

/**
 * Whether words that no table has say that a context is too long: providers are more than tables hold,
 * and one compaction too many costs less than a session that cannot go on. No number is read out of
 * them, for nobody knows what it counts.
 */
function saysTooLong(text: string): boolean {
  if (codes.test(text)) return true
  return text
    .split('\n')
    .some((line) => bound.test(line) && too.test(line) && !otherBounds.test(line))
}
