import { fieldsOf, type Fields, parsedJson } from '../../json/fields.ts'
import type { AssistantPart, Message } from '../message.ts'

/**
 * Where a provider's own compaction stands in a message: the index of its part, or 0 if the message
 * is nothing else. The provider ignores all that stands before it. `undefined` if there is none.
 *
 * Anthropic's `compact_20260112` gives a block with a text, OpenAI's Responses an item that only
 * OpenAI can read.
 * @example
 * providerCompactionIn({ role: 'assistant', content: [{ type: 'custom', kind: 'openai.compaction' }] }) // 0
 */
export function providerCompactionIn(message: Message): number | undefined {
  if (message.role === 'system') return isStandingCompaction(message) ? 0 : undefined
  if (message.role !== 'assistant' || typeof message.content === 'string') return undefined
  const index = message.content.findLastIndex(isProviderCompaction)
  return index === -1 ? undefined : index
}

/** Who can read the provider's compaction in a message; `undefined` if there is none, or nobody says. */
export function compactedBy(message: Message): string | undefined {
  const index = providerCompactionIn(message)
  if (index === undefined) return undefined
  if (message.role === 'system') {
    const notes = Object.values(message.providerOptions ?? {})
    return notes.some(({ block }) => fieldsOf(block)) ? 'anthropic' : 'openai'
  }
  const part = typeof message.content === 'string' ? undefined : message.content[index]
  if (part?.type === 'custom') return part.kind?.replace(/\.compaction$/, '')
  return part?.type === 'text' ? 'anthropic' : undefined
}

/** What a provider's own compaction holds, in whichever form an API or the AI SDK has it. */
export interface SealedCompaction {
  provider: 'openai' | 'anthropic'
  /** OpenAI's name for it. */
  id?: string
  /** A text of Anthropic's; of OpenAI's what only OpenAI can read. */
  content: string
  /** Anthropic's seal. */
  signature?: string
}

/** The compaction that a message or a part of one is; `undefined` if it is anything else. */
export function sealedIn(
  given: AssistantPart | Extract<Message, { role: 'system' }>,
): SealedCompaction | undefined {
  if ('role' in given) {
    if (!isStandingCompaction(given)) return undefined
    const noted = Object.values(given.providerOptions ?? {}).map(({ block }) => fieldsOf(block))
    const block = noted.find((fields) => fields !== undefined)
    return block ? anthropicSealed(block) : openaiSealed(fieldsOf(parsedJson(given.content)) ?? {})
  }
  if (!isProviderCompaction(given)) return undefined
  if (given.type === 'text') {
    return anthropicSealed({ ...given.providerOptions?.['anthropic'], content: given.text })
  }
  const options = Object.values(given.type === 'custom' ? (given.providerOptions ?? {}) : {})
  const { itemId: id, encryptedContent: encrypted_content } =
    options.find((one) => one['encryptedContent'] !== undefined) ?? {}
  return openaiSealed({ id, encrypted_content })
}

function anthropicSealed({ content, signature }: Fields): SealedCompaction | undefined {
  if (typeof content !== 'string') return undefined
  return {
    provider: 'anthropic',
    content,
    ...(typeof signature === 'string' && { signature }),
  }
}

function openaiSealed({ id, encrypted_content: content }: Fields): SealedCompaction | undefined {
  if (typeof content !== 'string') return undefined
  return { provider: 'openai', content, ...(typeof id === 'string' && { id }) }
}

/** The same message without what a provider compacted; `undefined` if nothing is left. */
export function withoutProviderCompaction(message: Message): Message | undefined {
  if (providerCompactionIn(message) === undefined) return message
  if (message.role !== 'assistant' || typeof message.content === 'string') return undefined
  const content = message.content.filter((part) => !isProviderCompaction(part))
  return content.length === 0 ? undefined : { ...message, content }
}

/**
 * The same message with another text in place of what only a provider can read; the very same if
 * there is nothing of the kind. Nobody can say what such a block holds.
 */
export function withoutSealed(message: Message, instead: string): Message {
  if (providerCompactionIn(message) === undefined) return message
  if (message.role === 'system') {
    return isReadable(message) ? message : { role: 'system', content: instead }
  }
  if (message.role !== 'assistant' || typeof message.content === 'string') return message
  if (!message.content.some(isSealed)) return message
  const content = message.content.map((part): AssistantPart =>
    isSealed(part) ? { type: 'text', text: instead } : part,
  )
  return { ...message, content }
}

/** Anthropic's block has a text, in which a secret is found like anywhere else. */
function isReadable({ providerOptions }: Message): boolean {
  const notes = Object.values(providerOptions ?? {})
  return notes.some(({ block }) => typeof fieldsOf(block)?.['content'] === 'string')
}

function isSealed(part: AssistantPart): boolean {
  return part.type === 'custom' && isProviderCompaction(part)
}

function isProviderCompaction(part: AssistantPart): boolean {
  if (part.type === 'custom') return part.kind?.endsWith('.compaction') === true
  return part.type === 'text' && part.providerOptions?.['anthropic']?.['type'] === 'compaction'
}

/** As the messages of an API are read: a message that stands for all that follows. */
function isStandingCompaction({ content, providerOptions }: Extract<Message, { role: 'system' }>) {
  return Object.values(providerOptions ?? {}).some(({ block, form }) => {
    if (fieldsOf(block)?.['type'] === 'compaction') return true
    return form === 'item' && fieldsOf(parsedJson(content))?.['type'] === 'compaction'
  })
}
