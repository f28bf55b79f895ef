import {
  boundedValue,
  decodedInput,
  fieldsOf,
  listOf,
  nameOf,
  objectsOf,
  textOf,
  type Fields,
} from '../../json/fields.ts'
import {
  blocksIn,
  call,
  outputOfPieces,
  outputText,
  reasoningItem,
  rowFor,
  saidBy,
  text,
  textOutput,
  understood,
} from '../conversation/parts.ts'
import { commandOutput, imageOutputs, imageParts, textParts, type Event } from './event.ts'
import { reasoningParts } from '../openai-chat/parts.ts'
import type { AssistantPart, ToolOutput, ToolOutputPart } from '../../log/message.ts'
import type { OriginPart } from '../conversation/user-messages.ts'

/** An event of OpenHands since version 1; `undefined` for a kind that is not known. */
export function readSdkEvent(event: Fields): Event | undefined {
  const row = rowFor(kinds, event['kind'])
  if (row) return row(event)
  return unseen.has(textOf(event['kind']) ?? '') ? { type: 'unseen' } : undefined
}

const kinds: Readonly<Record<string, (event: Fields) => Event | undefined>> = {
  SystemPromptEvent({ system_prompt, dynamic_context }) {
    const texts = [system_prompt, dynamic_context].flatMap(
      (block) => nameOf(fieldsOf(block)?.['text']) ?? [],
    )
    return { type: 'system', text: texts.join('\n\n') }
  },
  MessageEvent: message,
  ActionEvent: action,
  ObservationEvent: (event) => result(event, sdkOutput(event)),
  AgentErrorEvent: (event) => result(event, textOutput(textOf(event['error']) ?? '', true)),
  UserRejectObservation(event) {
    const reason = textOf(event['rejection_reason']) ?? 'User rejected the action'
    return result(event, { type: 'execution-denied', reason: `Action rejected: ${reason}` })
  },
  Condensation({ forgotten_event_ids, summary }) {
    const ids = new Set(listOf(forgotten_event_ids))
    return { type: 'condensation', summary: textOf(summary), forgets: (id) => ids.has(id) }
  },
}

// Of these, the summary of a condensation is there as it appears in a view.
const unseen: ReadonlySet<string> = new Set(
  `CondensationRequest CondensationSummaryEvent ConversationStateUpdateEvent ConversationErrorEvent
  ConversationIterationLimitEvent PauseEvent TokenEvent LLMCompletionLogEvent StreamingDeltaEvent
  HookExecutionEvent`.split(/\s+/),
)

function message(event: Fields): Event {
  const said = fieldsOf(event['llm_message']) ?? {}
  if (event['source'] === 'agent' || said['role'] === 'assistant') {
    return reply(event, said, said['content'], [])
  }
  const { extended_content, ...others } = event
  const own = understood(others, contentParts(said['content']))
  const added = contentParts(extended_content)
  const parts = event['source'] === 'user' ? own : saidBy(true, own)
  return { type: 'said', parts: [...parts, ...saidBy(true, added)] }
}

function contentParts(content: unknown): OriginPart[] {
  return blocksIn(content).flatMap((block) =>
    block['type'] === 'image'
      ? imageParts(block['image_urls'])
      : understood(block, textParts(textOf(block['text']) ?? '')),
  )
}

function action(event: Fields): Event {
  const { id, name, arguments: given } = fieldsOf(event['tool_call']) ?? {}
  const input = boundedValue(decodedInput(given ?? event['action']))
  const calls = call(nameOf(event['tool_call_id']) ?? id, nameOf(event['tool_name']) ?? name, input)
  return reply(event, event, event['thought'], calls)
}

function reply(event: Fields, thinking: Fields, texts: unknown, calls: AssistantPart[]): Event {
  const said = objectsOf(texts).flatMap((block) => text(block['text']))
  const parts = [...reasoning(thinking), ...said, ...calls]
  return { type: 'reply', response: nameOf(event['llm_response_id']), parts, whole: false }
}

/** An item of the Responses API, if there is one: its texts are repeated in the other fields. */
function reasoning(fields: Fields): AssistantPart[] {
  const item = fieldsOf(fields['responses_reasoning_item'])
  if (!item) return reasoningParts(fields)
  const texts = [...listOf(item['summary']), ...listOf(item['content'])].flatMap(
    (said) => nameOf(said) ?? nameOf(fieldsOf(said)?.['text']) ?? [],
  )
  return reasoningItem(texts, item)
}

function result(event: Fields, output: ToolOutput): Event | undefined {
  const toolCallId = nameOf(event['tool_call_id'])
  const toolName = nameOf(event['tool_name'])
  return toolCallId ? { type: 'result', toolCallId, toolName, output } : undefined
}

/** What an observation gave the model, and the rules that came with the touched file. */
function sdkOutput(event: Fields): ToolOutput {
  const observation = fieldsOf(event['observation']) ?? {}
  const rules = objectsOf(event['extended_content']).flatMap((block) =>
    outputText(nameOf(block['text'])),
  )
  const pieces = [...framed(observation, contentOf(observation)), ...rules]
  return outputOfPieces(pieces, observation['is_error'] === true, { openhands: { isError: true } })
}

/** A list of blocks; the first versions had one text. */
function contentOf({ content, output, error }: Fields): ToolOutputPart[] {
  const words = textOf(content) ?? textOf(output) ?? textOf(error)
  if (words !== undefined) return outputText(words)
  return objectsOf(content).flatMap((block): ToolOutputPart[] =>
    block['type'] === 'image'
      ? imageOutputs(block['image_urls'])
      : outputText(nameOf(block['text'])),
  )
}

/** The lines around the output of a command. */
function framed({ metadata }: Fields, pieces: ToolOutputPart[]): ToolOutputPart[] {
  if (!fieldsOf(metadata)) return pieces
  const texts = pieces.flatMap((piece) => (piece.type === 'text' ? [piece.text ?? ''] : []))
  const media = pieces.filter((piece) => piece.type !== 'text')
  return [...outputText(commandOutput(texts.join(''), metadata)), ...media]
}
