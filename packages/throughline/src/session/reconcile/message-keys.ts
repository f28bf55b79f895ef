import { hashOf } from './hash-of.ts'
import { readSummaryBlock } from '../../compaction/render/summary-block.ts'
import { mediumOf } from './medium.ts'
import type { Message, Part, ToolOutput } from '../../log/message.ts'

/** What a part of a message says, as a number: two that say the same to a model have the same. */
export interface PartKey {
  key: number
  /** A host may leave it out, or have more of it, without saying anything else: reasoning. */
  optional: boolean
}

interface Known {
  content: Message['content']
  length: number
  keys: readonly PartKey[]
}

const known = new WeakMap<Message, Known>()
const knownParts = new WeakMap<object, PartKey>()

/**
 * The keys of a message's parts. What a provider is told beside them (`providerOptions`: where a
 * prompt is cached, …) is no part of what is said, and a text is the same alone and as a part.
 *
 * Messages and parts are taken as immutable: each is read once. A message that has another
 * content than before, or more of it, is read again.
 */
export function messageKeys(message: Message): readonly PartKey[] {
  const { content } = message
  const before = known.get(message)
  if (before && before.content === content && before.length === content.length) return before.keys
  const keys = keysOf(message)
  known.set(message, { content, length: content.length, keys })
  return keys
}

function keysOf({ role, content }: Message): PartKey[] {
  if (content.length === 0) return [{ key: hashOf(['empty', role]), optional: true }]
  if (typeof content === 'string') return [textKey(content, role)]
  return content.map((part) => {
    let key = knownParts.get(part)
    if (!key) knownParts.set(part, (key = partKey(part, role)))
    return key
  })
}

function partKey(part: Part, role: Message['role']): PartKey {
  switch (part.type) {
    case 'text':
      return textKey(part.text, role)
    case 'reasoning':
    case 'reasoning-file':
      return { key: hashOf([part.type, 'text' in part ? part.text : part.data]), optional: true }
    case 'image':
      return required([role, 'file', mediumOf(part.image)])
    case 'file':
      return required([role, 'file', mediumOf(part.data)])
    case 'tool-call':
      return required([part.type, part.toolCallId, part.toolName, part.input])
    case 'tool-result':
      return required([part.type, part.toolCallId, outputOf(part.output)])
    case 'tool-approval-request':
      return required([part.type, part.approvalId, part.toolCallId])
    case 'tool-approval-response':
      return required([part.type, part.approvalId, part.approved])
    default:
      return required(part)
  }
}

/** What a user interface shows of a failure is often less than what the model was told: it is the same. */
function outputOf(output: ToolOutput): unknown {
  const failed = ['error-text', 'error-json', 'execution-denied'].includes(output.type)
  return failed || !('value' in output) ? 'failed' : ['gave', output.value]
}

/** A summary is the same in any role, and whatever stands behind its block. */
function textKey(text: string, role: Message['role']): PartKey {
  const summary = role === 'user' || role === 'system' ? readSummaryBlock(text) : undefined
  if (summary !== undefined) return required(['summary', summary])
  return { key: hashOf([role, 'text', text]), optional: text === '' }
}

function required(said: unknown): PartKey {
  return { key: hashOf(said), optional: false }
}
