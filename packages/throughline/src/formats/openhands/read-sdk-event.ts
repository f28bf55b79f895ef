import {
  boundedValue,
  fieldsOf,
  listOf,
  nameOf,
  objectsOf,
  textOf,
  type Fields,
  decodedInput,
} from '../../json/fields.ts'
import { outputOfPieces } from '../conversation/parts.ts'
import { reasoningParts } from '../openai-chat/parts.ts'
import { imageParts, imageOutputs, commandOutput } from './read-observation.ts'
import { textParts } from './state.ts'
import type { AssistantPart, ToolOutput, ToolOutputPart } from '../../log/message.ts'
import type { OriginPart } from '../conversation/user-messages.ts'
import type { Event, EventId } from './state.ts'

/** An event of OpenHands since version 1; `undefined` for a kind that is not known. */
export function readSdkEvent(event: Fields): Event | undefined {
  const kind = textOf(event['kind']) ?? ''
  switch (kind) {
    case 'SystemPromptEvent':
      return { type: 'system', text: systemText(event) }
    case 'MessageEvent':
      return message(event)
    case 'ActionEvent':
      return action(event)
    case 'ObservationEvent':
      return result(event, sdkOutput(event))
    case 'AgentErrorEvent':
      return result(event, { type: 'error-text', value: textOf(event['error']) ?? '' })
    case 'UserRejectObservation': {
      const reason = textOf(event['rejection_reason']) ?? 'User rejected the action'
      return result(event, { type: 'execution-denied', reason: `Action rejected: ${reason}` })
    }
    case 'Condensation': {
      const ids = new Set(listOf(event['forgotten_event_ids']))
      const forgets = (id: EventId): boolean => ids.has(id)
      return { type: 'condensation', summary: textOf(event['summary']), forgets }
    }
    default:
      return unseen.has(kind) ? { type: 'unseen' } : undefined
  }
}

const unseen: ReadonlySet<string> = new Set([
  'CondensationRequest',
  // The summary of a condensation, as it appears in a view.
  'CondensationSummaryEvent',
  'ConversationStateUpdateEvent',
  'ConversationErrorEvent',
  'ConversationIterationLimitEvent',
  'PauseEvent',
  'TokenEvent',
  'LLMCompletionLogEvent',
  'StreamingDeltaEvent',
  'HookExecutionEvent',
])

function systemText(event: Fields): string {
  const texts = [event['system_prompt'], event['dynamic_context']]
  return texts.flatMap((block) => nameOf(fieldsOf(block)?.['text']) ?? []).join('\n\n')
}

function message(event: Fields): Event {
  const said = fieldsOf(event['llm_message']) ?? {}
  if (event['source'] === 'agent' || said['role'] === 'assistant') {
    return reply(event, said, said['content'], [])
  }
  const human = event['source'] === 'user'
  const own = contentParts(said['content'])
  const added = contentParts(event['extended_content']).map(asHarness)
  return { type: 'said', parts: [...(human ? own : own.map(asHarness)), ...added] }
}

function contentParts(content: unknown): OriginPart[] {
  return objectsOf(content).flatMap((block) =>
    block['type'] === 'image'
      ? imageParts(block['image_urls'])
      : textParts(textOf(block['text']) ?? ''),
  )
}

function asHarness({ part }: OriginPart): OriginPart {
  return { origin: 'harness', part }
}

function action(event: Fields): Event {
  const call = fieldsOf(event['tool_call'])
  const toolCallId = nameOf(event['tool_call_id']) ?? nameOf(call?.['id'])
  const toolName = nameOf(event['tool_name']) ?? nameOf(call?.['name'])
  if (!toolCallId || !toolName) return reply(event, event, event['thought'], [])
  const input = boundedValue(decodedInput(call?.['arguments'] ?? event['action']))
  return reply(event, event, event['thought'], [{ type: 'tool-call', toolCallId, toolName, input }])
}

function reply(event: Fields, thinking: Fields, texts: unknown, calls: AssistantPart[]): Event {
  const said = objectsOf(texts).flatMap((block): AssistantPart[] => {
    const text = nameOf(block['text'])
    return text ? [{ type: 'text', text }] : []
  })
  return {
    type: 'reply',
    response: nameOf(event['llm_response_id']),
    parts: [...reasoning(thinking), ...said, ...calls],
    whole: false,
    model: undefined,
    usage: undefined,
  }
}

/** An item of the Responses API, if there is one: its texts are repeated in the other fields. */
function reasoning(fields: Fields): AssistantPart[] {
  const item = fieldsOf(fields['responses_reasoning_item'])
  if (!item) return reasoningParts(fields)
  const texts = [...listOf(item['summary']), ...listOf(item['content'])].flatMap(
    (text) => nameOf(text) ?? nameOf(fieldsOf(text)?.['text']) ?? [],
  )
  const itemId = nameOf(item['id'])
  const reasoningEncryptedContent = nameOf(item['encrypted_content'])
  const openai = {
    ...(itemId && { itemId }),
    ...(reasoningEncryptedContent && { reasoningEncryptedContent }),
  }
  return [{ type: 'reasoning', text: texts.join('\n\n'), providerOptions: { openai } }]
}

function result(event: Fields, output: ToolOutput): Event | undefined {
  const toolCallId = nameOf(event['tool_call_id'])
  const toolName = nameOf(event['tool_name'])
  return toolCallId ? { type: 'result', toolCallId, toolName, output } : undefined
}

/** What an observation gave the model, and the rules that came with the touched file. */
function sdkOutput(event: Fields): ToolOutput {
  const observation = fieldsOf(event['observation']) ?? {}
  const parts = framed(observation, contentOf(observation))
  for (const block of objectsOf(event['extended_content'])) {
    const text = nameOf(block['text'])
    if (text) parts.push({ type: 'text', text })
  }
  const failed = observation['is_error'] === true
  return outputOfPieces(parts, failed, { openhands: { isError: true } })
}

/** A list of blocks; the first versions had one text. */
function contentOf(observation: Fields): ToolOutputPart[] {
  const { content } = observation
  const text = textOf(content) ?? textOf(observation['output']) ?? textOf(observation['error'])
  if (text !== undefined) return [{ type: 'text', text }]
  return objectsOf(content).flatMap((block): ToolOutputPart[] => {
    if (block['type'] === 'image') return imageOutputs(block['image_urls'])
    const said = textOf(block['text'])
    return said === undefined || said === '' ? [] : [{ type: 'text', text: said }]
  })
}

/** The lines around the output of a command. */
function framed(observation: Fields, parts: ToolOutputPart[]): ToolOutputPart[] {
  const metadata = fieldsOf(observation['metadata'])
  if (!metadata) return parts
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text ?? ''] : []))
  const media = parts.filter((part) => part.type !== 'text')
  return [{ type: 'text', text: commandOutput(texts.join(''), metadata) }, ...media]
}
