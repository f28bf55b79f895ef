import {
  boundedValue,
  fieldsOf,
  nameOf,
  objectsOf,
  textOf,
  type Fields,
} from '../../json/fields.ts'
import { assistantParts } from '../openai-chat/parts.ts'
import { finishOf, usageOf } from '../../wires/openai-chat/wire.ts'
import type { ReplyEvent } from './state.ts'
import type { AssistantPart } from '../../log/message.ts'

/** What the model said without a call. */
export function spoken(event: Fields, args: Fields): ReplyEvent {
  const text = textOf(args['content']) ?? ''
  return { ...aboutReply(event), parts: textPart(text), whole: true }
}

/**
 * The model's last words: next to its call, and in it, addressed to the human. The call has no
 * result.
 */
export function finished(event: Fields, args: Fields): ReplyEvent {
  const { message } = responseOf(event)
  const outputs = fieldsOf(args['outputs'])
  const reason = textOf(outputs?.['reason'])
  const texts = [
    message ? (textOf(message['content']) ?? '') : (textOf(args['thought']) ?? ''),
    textOf(args['final_thought']) ?? reason ?? '',
  ]
  const parts = [...new Set(texts)].flatMap(textPart)
  return { ...aboutReply(event), parts, whole: true, finish: 'stop' }
}

/** A call with all others of its response; from the arguments alone if the response wasn't kept. */
export function called(event: Fields, args: Fields, action: string): ReplyEvent {
  const about = aboutReply(event)
  const { message } = responseOf(event)
  const parts = message ? assistantParts(message) : []
  if (parts.some(({ type }) => type === 'tool-call')) return { ...about, parts, whole: true }
  const metadata = fieldsOf(event['tool_call_metadata'])
  const toolCallId = nameOf(metadata?.['tool_call_id']) ?? writtenCallId(event['id'])
  const toolName = nameOf(metadata?.['function_name']) ?? toolNames.get(action) ?? action
  const input = Object.fromEntries(Object.entries(args).filter(([key]) => !notInput.has(key)))
  const call: AssistantPart = {
    type: 'tool-call',
    toolCallId,
    toolName,
    input: boundedValue(input),
  }
  return { ...about, parts: [...textPart(textOf(args['thought']) ?? ''), call], whole: false }
}

/** The id of a call that was written as text; it only has its event's id. */
export function writtenCallId(event: unknown): string {
  return `event_${typeof event === 'number' || typeof event === 'string' ? event : ''}`
}

const toolNames: ReadonlyMap<string, string> = new Map([
  ['run', 'execute_bash'],
  ['run_ipython', 'execute_ipython_cell'],
  ['browse_interactive', 'browser'],
])

const notInput: ReadonlySet<string> = new Set([
  'thought',
  'blocking',
  'hidden',
  'confirmation_state',
  'security_risk',
  'is_static',
  'cwd',
  'keep_prompt',
  'kernel_init_code',
  'include_extra',
  'impl_source',
])

function aboutReply(event: Fields): Omit<ReplyEvent, 'parts' | 'whole'> {
  const { response, finish } = responseOf(event)
  return {
    type: 'reply',
    response: nameOf(response?.['id']),
    model: nameOf(response?.['model']),
    usage: usageOf(response?.['usage']),
    ...(finish && { finish }),
  }
}

function responseOf(event: Fields): {
  response: Fields | undefined
  message: Fields | undefined
  finish: ReplyEvent['finish']
} {
  const response = fieldsOf(fieldsOf(event['tool_call_metadata'])?.['model_response'])
  const choice = objectsOf(response?.['choices'])[0]
  const finish = finishOf(choice?.['finish_reason'])
  return { response, message: fieldsOf(choice?.['message']), finish }
}

function textPart(text: string): { type: 'text'; text: string }[] {
  return text.trim() === '' ? [] : [{ type: 'text', text }]
}
