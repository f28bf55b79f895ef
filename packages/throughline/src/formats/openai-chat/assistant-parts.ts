import {
  boundedValue,
  fieldsOf,
  listOf,
  nameOf,
  objectsOf,
  textOf,
  type Fields,
} from '../../json/fields.ts'
import { decodedInput } from '../../json/decoded-input.ts'
import { reasoningParts } from './reasoning-parts.ts'
import type { AssistantPart } from '../../log/message.ts'

/** An assistant message as parts. `serial` names a call that has no id: those of the first models. */
export function assistantParts(message: Fields, serial: number): AssistantPart[] {
  return [
    ...reasoningParts(message),
    ...contentParts(message['content']),
    ...textParts(message['refusal']),
    ...objectsOf(message['tool_calls']).flatMap(toolCall),
    ...functionCall(fieldsOf(message['function_call']), serial),
  ]
}

function contentParts(content: unknown): AssistantPart[] {
  if (typeof content === 'string') return textParts(content)
  return listOf(content).flatMap((block) => {
    const fields = fieldsOf(block)
    if (!fields) return textParts(block)
    // Thinking among the content is read with the reasoning.
    if (fields['type'] === 'thinking' || fields['type'] === 'redacted_thinking') return []
    const text = textOf(fields['text']) ?? textOf(fields['refusal'])
    return text === undefined ? unknownBlock(fields) : textParts(text)
  })
}

function textParts(text: unknown): AssistantPart[] {
  return typeof text === 'string' && text !== '' ? [{ type: 'text', text }] : []
}

function toolCall(call: Fields): AssistantPart[] {
  const called = fieldsOf(call['function']) ?? fieldsOf(call['custom'])
  const toolCallId = nameOf(call['id'])
  const toolName = nameOf(called?.['name'])
  if (!toolCallId || !toolName) return []
  const input = called?.['input'] ?? decodedInput(called?.['arguments'])
  const google = fieldsOf(fieldsOf(call['extra_content'])?.['google'])
  const thoughtSignature = nameOf(google?.['thought_signature'])
  return [
    {
      type: 'tool-call',
      toolCallId,
      toolName,
      input: boundedValue(input),
      ...(thoughtSignature && { providerOptions: { google: { thoughtSignature } } }),
    },
  ]
}

function functionCall(call: Fields | undefined, serial: number): AssistantPart[] {
  const toolName = nameOf(call?.['name'])
  if (!toolName) return []
  const input = boundedValue(decodedInput(call?.['arguments']))
  return [{ type: 'tool-call', toolCallId: functionCallId(serial), toolName, input }]
}

/** The id of a call in the form of the first models, which had none. */
export function functionCallId(serial: number): string {
  return `function_call_${serial}`
}

function unknownBlock(block: Fields): AssistantPart[] {
  const type = nameOf(block['type'])
  if (!type) return []
  const openai = { block: boundedValue(block) }
  return [{ type: 'custom', kind: `openai.${type}`, providerOptions: { openai } }]
}
