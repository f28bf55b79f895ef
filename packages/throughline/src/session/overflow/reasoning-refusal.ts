import { errorWords } from './error-words.ts'
import type { ReasoningRefusal } from '../../log/kept-reasoning.ts'

/** One provider's words for reasoning that it does not take, or wants: each line is its own test. */
export interface ReasoningWords {
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
