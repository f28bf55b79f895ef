import { readSummaryBlock, saidBehindSummaryBlock } from '../compaction/render/summary-block.ts'
import { hashOf } from '../json/hash.ts'
import { sealedIn } from '../log/context/provider-compaction.ts'
import { mapOwnRefs } from '../compaction/render/own-refs.ts'
import type { AssistantPart, Message, Part, ToolOutput } from '../log/message.ts'

/**
 * Identifies a medium however it is given: as bytes, base64, a data URL or an address; bare, or in
 * an object that names its kind.
 */
export function mediumOf(data: unknown): unknown {
  if (typeof data === 'string') return fromText(data)
  if (typeof data !== 'object' || data === null) return data
  if (data instanceof URL) return fromText(data.href)
  if (data instanceof ArrayBuffer) return base64(new Uint8Array(data))
  if (ArrayBuffer.isView(data)) {
    return base64(new Uint8Array(data.buffer, data.byteOffset, data.byteLength))
  }
  if (!('type' in data)) return data
  if (data.type === 'data' && 'data' in data) return mediumOf(data.data)
  if (data.type === 'url' && 'url' in data) return mediumOf(data.url)
  if (data.type === 'reference' && 'reference' in data) return data.reference
  return data
}

function fromText(text: string): string {
  if (!text.startsWith('data:')) return text
  const comma = text.indexOf(',')
  return comma === -1 ? text : text.slice(comma + 1)
}

// Every engine accepts this many arguments in a function call.
const chunk = 0x2000

function base64(bytes: Uint8Array): string {
  let text = ''
  for (let start = 0; start < bytes.length; start += chunk) {
    text += String.fromCharCode(...bytes.subarray(start, start + chunk))
  }
  return btoa(text)
}

/**
 * What a part of a message says, as a number. Two parts that say the same to a model have the same
 * number.
 */
export interface PartKey {
  key: number
  /** A host may omit it or have more of it without changing the message: reasoning. */
  optional: boolean
}

/** A message as it was when its keys were read. */
export interface ReadMessage {
  message: Message
  content: Message['content']
  length: number
  keys: readonly PartKey[]
}

const known = new WeakMap<Message, ReadMessage>()
const knownParts = new WeakMap<object, PartKey>()

/**
 * The keys of a message's parts. Settings for the provider (`providerOptions`, such as where a
 * prompt is cached) don't count, and a text has the same key alone and as a part.
 *
 * Messages and parts are treated as immutable: each is read once. A message whose content was
 * replaced or has grown is read again.
 */
export function messageKeys(message: Message): readonly PartKey[] {
  return readMessage(message).keys
}

/** The same, with what shows later whether the message is still as it was. */
export function readMessage(message: Message): ReadMessage {
  const before = known.get(message)
  if (before && isAsRead(message, before)) return before
  const { content } = message
  const read = { message, content, length: content.length, keys: keysOf(message) }
  known.set(message, read)
  return read
}

/** Whether a message is the one that was read, and unchanged. */
export function isAsRead(message: Message, read: ReadMessage): boolean {
  const { content } = message
  return message === read.message && content === read.content && content.length === read.length
}

/** Whether two messages, of which these are the keys, say the same. */
export function saysTheSame(keys: readonly PartKey[], others: readonly PartKey[]): boolean {
  if (keys === others) return true
  return keys.length === others.length && keys.every(({ key }, at) => key === others[at]?.key)
}

function keysOf(message: Message): PartKey[] {
  const { role, content } = message
  const sealed = role === 'system' ? sealedIn(message) : undefined
  if (sealed) return [required(['compaction', sealed.content])]
  if (content.length === 0) return [{ key: hashOf(['empty', role]), optional: true }]
  if (typeof content === 'string') return [textKey(content, role)]
  return content.map((part) => {
    let key = knownParts.get(part)
    if (!key) knownParts.set(part, (key = partKey(part, role)))
    return key
  })
}

function partKey(part: Part, role: Message['role']): PartKey {
  const sealed = role === 'assistant' ? sealedIn(part as AssistantPart) : undefined
  // The same in whichever form an API has it.
  if (sealed) return required(['compaction', sealed.content])
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

/**
 * A user interface often shows less of a failure than the model was told; both count as the same.
 */
function outputOf(output: ToolOutput): unknown {
  const failed = ['error-text', 'error-json', 'execution-denied'].includes(output.type)
  return failed || !('value' in output) ? 'failed' : ['gave', output.value]
}

/**
 * A summary is the same in any role, with our note on reading back or without, and with its refs or
 * without: those of another log are left out when it is taken in. Other words after it make it another
 * message.
 */
function textKey(text: string, role: Message['role']): PartKey {
  const summary = role === 'user' || role === 'system' ? readSummaryBlock(text) : undefined
  if (summary !== undefined) {
    const said = saidBehindSummaryBlock(text)
    const plain = mapOwnRefs(summary, () => undefined)
    return required(said === '' ? ['summary', plain] : ['summary', plain, said])
  }
  return { key: hashOf([role, 'text', text]), optional: text === '' }
}

function required(said: unknown): PartKey {
  return { key: hashOf(said), optional: false }
}
