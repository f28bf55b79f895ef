import { fieldsOf } from '../../json/fields.ts'
import { redacted } from './secret.ts'
import type { AssistantPart, Message, Part, ProviderOptions } from '../message.ts'

/** Where providers put what only they can read: reasoning in full, or a seal that holds it. */
const sealedFields: ReadonlySet<string> = new Set([
  'encrypted',
  'encryptedContent',
  'encrypted_content',
  'reasoningEncryptedContent',
  'redactedData',
  'reasoningOpaque',
  'reasoning_opaque',
  'signature',
  'thoughtSignature',
  'thought_signature',
])

/**
 * What Google documents for a call whose seal is not there: without any, Gemini 3 refuses the call.
 * https://ai.google.dev/gemini-api/docs/thought-signatures
 */
const unsealedCall = 'skip_thought_signature_validator'

/** Nested deeper than any provider does. */
const deepest = 16

/**
 * The same message without what only a provider can read of its reasoning; the very same if there is
 * nothing of the kind. Reasoning that loses its seal says so: it is never sent again, because its
 * provider would refuse it. Its readable words stay.
 */
export function withoutSealedReasoning(message: Message): Message {
  if (message.role !== 'assistant') return message
  const { providerOptions: options } = message
  const open = options && (unsealed(options, 0) as ProviderOptions)
  const said = open === options ? message : { ...message, ...(open && { providerOptions: open }) }
  if (typeof said.content === 'string') return said
  const content = said.content.map(unsealedPart)
  const isSame = content.every((part, index) => part === said.content[index])
  return isSame ? said : { ...said, content }
}

function unsealedPart(part: AssistantPart): AssistantPart {
  const options = optionsOf(part)
  if (options === undefined || !isSealed(options)) return part
  switch (part.type) {
    case 'reasoning':
      return { type: 'reasoning', text: part.text === '' ? redacted : `${part.text}\n${redacted}` }
    case 'tool-call':
      return { ...part, providerOptions: callOptions(options) }
    case 'reasoning-file':
      return { type: 'reasoning', text: redacted }
    case 'text':
      // A provider's compaction that everybody can read is nothing without its seal.
      if (options['anthropic']?.['type'] === 'compaction') return part
      return { ...part, providerOptions: unsealed(options, 0) as ProviderOptions }
    default:
      return part
  }
}

function optionsOf(part: Part): ProviderOptions | undefined {
  return 'providerOptions' in part ? part.providerOptions : undefined
}

function callOptions(options: ProviderOptions): ProviderOptions {
  const open = unsealed(options, 0) as ProviderOptions
  const { google } = options
  if (google?.['thoughtSignature'] === undefined) return open
  return { ...open, google: { ...open['google'], thoughtSignature: unsealedCall } }
}

function isSealed(value: unknown): boolean {
  return unsealed(value, 0) !== value
}

/** A value without what is sealed in it, at any depth; the very same if there is nothing. */
function unsealed(value: unknown, depth: number): unknown {
  if (depth > deepest || ArrayBuffer.isView(value)) return value
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => unsealed(item, depth + 1))
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  const fields = fieldsOf(value)
  if (fields === undefined) return value
  // OpenRouter: `{ type: 'reasoning.encrypted', data }`.
  const isEncrypted = typeof fields['type'] === 'string' && fields['type'].endsWith('.encrypted')
  const kept: [string, unknown][] = []
  let differs = false
  for (const [name, field] of Object.entries(fields)) {
    const goes = (sealedFields.has(name) || (isEncrypted && name === 'data')) && holds(field)
    const next = goes ? undefined : unsealed(field, depth + 1)
    if (goes || next !== field) differs = true
    if (!goes) kept.push([name, next])
  }
  return differs ? Object.fromEntries(kept) : value
}

function holds(field: unknown): boolean {
  return typeof field === 'string' && field !== '' && field !== unsealedCall
}

/** What a client noted of its provider's sealed compaction; the very same if it noted none. */
export function withoutSealedNotes<Notes extends object>(metadata: Notes): Notes {
  return unsealed(metadata, 0) as Notes
}
