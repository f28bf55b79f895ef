import { fieldsOf, listOf, textOf, type Fields } from '../../json/fields.ts'
import { plainOutput } from './whole-part.ts'

interface ModelMessages {
  messages: Fields[]
  /** The parts of a kind that cannot be kept. */
  unknown: readonly Fields[]
}

/**
 * A UI message as the messages that the SDK makes of it for the model: an assistant's message is
 * divided into its steps, each with the results of its calls.
 */
export function modelMessages(message: Fields): ModelMessages {
  const parts = listOf(message['parts']).map((part) => fieldsOf(part) ?? { part })
  const known = parts.filter(isKnown)
  const unknown = parts.filter((part) => !isKnown(part))
  const role = message['role']
  if (role === 'assistant') return { messages: stepsOf(known, message), unknown }
  const content = role === 'system' ? known.map(textIn).join('') : known.flatMap(spokenPart)
  return { messages: [{ ...about(message), role, content }], unknown }
}

const types: ReadonlySet<string> = new Set([
  'reasoning',
  'file',
  'reasoning-file',
  'custom',
  'step-start',
  'dynamic-tool',
  // These are only for the reader of the page.
  'source-url',
  'source-document',
])

function isKnown({ type, text, parts }: Fields): boolean {
  if (typeof type !== 'string') return false
  if (type === 'text') return typeof text === 'string'
  if (type === 'steering-message') {
    return Array.isArray(parts) && parts.every((part) => isKnown(fieldsOf(part) ?? {}))
  }
  return types.has(type) || type.startsWith('tool-') || type.startsWith('data-')
}

/** A message's id and time, which belong to each message made from it. */
function about({ id, createdAt, metadata }: Fields): Fields {
  return { id, createdAt, metadata }
}

function stepsOf(parts: readonly Fields[], message: Fields): Fields[] {
  const messages: Fields[] = []
  let step: Fields[] = []
  const close = (): void => {
    const content = step.flatMap(modelPart)
    const results = step.flatMap(toolResultParts)
    step = []
    if (content.length > 0) messages.push({ ...about(message), role: 'assistant', content })
    if (results.length > 0) messages.push({ ...about(message), role: 'tool', content: results })
  }
  for (const part of parts) {
    if (part['type'] === 'step-start') close()
    else if (part['type'] === 'steering-message') {
      close()
      const said = listOf(part['parts']).flatMap((inner) => spokenPart(fieldsOf(inner) ?? {}))
      messages.push({ id: part['id'], role: 'user', content: said })
    } else step.push(part)
  }
  close()
  return messages
}

function modelPart(part: Fields): Fields[] {
  const { type } = part
  switch (type) {
    case 'text':
    case 'file':
      return spokenPart(part)
    case 'reasoning':
      return [{ type, text: part['text'], ...optionsIn(part) }]
    case 'custom':
      return [{ type, kind: part['kind'], ...optionsIn(part) }]
    case 'reasoning-file':
      return [{ type, mediaType: part['mediaType'], data: dataIn(part), ...optionsIn(part) }]
    default:
      return toolCallParts(part)
  }
}

function spokenPart(part: Fields): Fields[] {
  const { type, text, mediaType, filename } = part
  if (type === 'text') return [{ type, text, ...optionsIn(part) }]
  if (type !== 'file') return []
  return [{ type, mediaType, filename, data: dataIn(part), ...optionsIn(part) }]
}

function dataIn(part: Fields): Fields {
  const reference = fieldsOf(part['providerReference'])
  return reference ? { type: 'reference', reference } : { type: 'url', url: part['url'] }
}

function optionsIn(part: Fields): Fields {
  const options = fieldsOf(part['providerMetadata'])
  return options ? { providerOptions: options } : {}
}

function textIn(part: Fields): string {
  return part['type'] === 'text' ? (textOf(part['text']) ?? '') : ''
}

/** The call that a tool's part of the user interface shows; none while it still streams. */
function toolCallParts(part: Fields): Fields[] {
  const { toolCallId, state, input, rawInput, providerExecuted } = part
  const toolName = toolNameOf(part)
  if (toolName === undefined || state === 'input-streaming') return []
  const about = { toolCallId, toolName, ...callOptionsIn(part) }
  const call = { ...about, type: 'tool-call', input: input ?? rawInput, providerExecuted }
  const approval = fieldsOf(part['approval'])
  const request = approval && requestPart(approval, toolCallId)
  const own = providerExecuted === true ? outputOf(part) : undefined
  const result = own && { ...about, type: 'tool-result', output: own }
  return [call, request, result].filter((made) => made !== undefined)
}

function requestPart(approval: Fields, toolCallId: unknown): Fields {
  const { id: approvalId, isAutomatic, signature, requestReason: reason } = approval
  const asked = { type: 'tool-approval-request', approvalId, toolCallId }
  return { ...asked, isAutomatic, signature, reason }
}

/** The content of the tool message after the step: the human's approval, and the result. */
function toolResultParts(part: Fields): Fields[] {
  const toolName = toolNameOf(part)
  if (toolName === undefined) return []
  const { toolCallId, providerExecuted } = part
  const approval = fieldsOf(part['approval'])
  const { id: approvalId, approved, reason } = approval ?? {}
  const answer = typeof approved === 'boolean' && {
    type: 'tool-approval-response',
    approvalId,
    approved,
    reason,
    providerExecuted,
  }
  const output = providerExecuted === true ? undefined : outputOf(part)
  const about = { type: 'tool-result', toolCallId, toolName, ...callOptionsIn(part) }
  const result = output && { ...about, output }
  return [answer, result].filter((made) => typeof made === 'object')
}

function callOptionsIn(part: Fields): Fields {
  const options = fieldsOf(part['callProviderMetadata'])
  return options ? { providerOptions: options } : {}
}

function toolNameOf({ type, toolName }: Fields): string | undefined {
  if (type === 'dynamic-tool') return textOf(toolName)
  return typeof type === 'string' && type.startsWith('tool-') ? type.slice(5) : undefined
}

const denied = 'Tool call execution denied.'

function outputOf(part: Fields): Fields | undefined {
  const approval = fieldsOf(part['approval'])
  switch (part['state']) {
    case 'output-available':
      return { ...plainOutput(part['output'], false) }
    case 'output-error':
      return { type: 'error-text', value: part['errorText'] }
    case 'output-denied':
      return { type: 'execution-denied', reason: approval?.['reason'] ?? denied }
    case 'approval-responded':
      return approval?.['approved'] === false
        ? { type: 'execution-denied', reason: approval['reason'] }
        : undefined
    default:
      return undefined
  }
}
