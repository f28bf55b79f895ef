import {
  boundedValue,
  countOf,
  fieldsOf,
  listOf,
  nameOf,
  objectsOf,
  textOf,
  type Fields,
} from '../../json/fields.ts'
import { assistantParts } from '../openai-chat/parts.ts'
import { call, rowFor, saidBy, text, textOutput, understood } from '../conversation/parts.ts'
import { commandOutput, imageOutputs, imageParts, textParts } from './event.ts'
import { finishOf, usageOf } from '../../wires/openai-chat/wire.ts'
import type { Event, EventId, ReplyEvent } from './event.ts'
import type { ToolOutput } from '../../log/message.ts'

/** An action of OpenHands before version 1; `undefined` for a kind that is not known. */
export function readAction(event: Fields): Event | undefined {
  const args = fieldsOf(event['args']) ?? {}
  const action = textOf(event['action']) ?? ''
  if (unseenActions.has(action)) return { type: 'unseen' }
  const row = rowFor(actions, action)
  if (row) return row(event, args)
  return event['source'] === 'agent' ? called(event, args) : undefined
}

const actions: Readonly<Record<string, (event: Fields, args: Fields) => Event>> = {
  system: (_, { content }) => ({ type: 'system', text: textOf(content) ?? '' }),
  condensation: (_, args) => condensation(args),
  message: (event, args) => (event['source'] === 'agent' ? spoken(event, args) : said(event, args)),
  finish: finished,
  reject: finished,
  delegate: (event, args) => ({ type: 'delegation', reply: called(event, args) }),
  run(event, args) {
    if (event['source'] !== 'user') return called(event, args)
    const command = `User executed the command:\n${textOf(args['command']) ?? ''}`
    return { type: 'said', parts: textParts(command) }
  },
}

const unseenActions: ReadonlySet<string> = new Set(
  `recall change_agent_state null condensation_request pause resume stop initialize start push
  send_pr loop_recovery`.split(/\s+/),
)

function said({ source }: Fields, args: Fields): Event {
  const { content, image_urls } = args
  const words = textParts(textOf(content) ?? '')
  const texts = saidBy(source !== 'user', content === '' ? words : understood(args, words))
  return { type: 'said', parts: [...texts, ...imageParts(image_urls)] }
}

function condensation(args: Fields): Event {
  const ids = new Set(listOf(args['forgotten_event_ids']))
  const first = countOf(args['forgotten_events_start_id']) ?? Infinity
  const last = countOf(args['forgotten_events_end_id']) ?? -Infinity
  const forgets = (id: EventId): boolean =>
    ids.has(id) || (typeof id === 'number' && id >= first && id <= last)
  return { type: 'condensation', summary: textOf(args['summary']), forgets }
}

/** What the model said without a call. */
function spoken(event: Fields, { content }: Fields): ReplyEvent {
  return { ...aboutReply(event), parts: wordsIn(textOf(content) ?? ''), whole: true }
}

/**
 * The model's last words: next to its call, and in it, addressed to the human. The call has no
 * result.
 */
function finished(event: Fields, args: Fields): Event {
  if (event['source'] !== 'agent') return { type: 'unseen' }
  const { message } = responseOf(event)
  const texts = [
    textOf(message ? message['content'] : args['thought']) ?? '',
    textOf(args['final_thought']) ?? textOf(fieldsOf(args['outputs'])?.['reason']) ?? '',
  ]
  const parts = [...new Set(texts)].flatMap(wordsIn)
  return { ...aboutReply(event), parts, whole: true, finish: 'stop' }
}

function wordsIn(words: string): ReturnType<typeof text> {
  return words.trim() === '' ? [] : text(words)
}

/** A call with all others of its response; from the arguments alone if the response wasn't kept. */
function called(event: Fields, args: Fields): ReplyEvent {
  const about = aboutReply(event)
  const { message } = responseOf(event)
  const parts = message ? assistantParts(message) : []
  if (parts.some(({ type }) => type === 'tool-call')) return { ...about, parts, whole: true }
  const action = textOf(event['action']) ?? ''
  const metadata = fieldsOf(event['tool_call_metadata'])
  const id = nameOf(metadata?.['tool_call_id']) ?? writtenCallId(event['id'])
  const name = nameOf(metadata?.['function_name']) ?? toolNames.get(action) ?? action
  const input = Object.fromEntries(Object.entries(args).filter(([key]) => !notInput.has(key)))
  const said = [...wordsIn(textOf(args['thought']) ?? ''), ...call(id, name, boundedValue(input))]
  return { ...about, parts: said, whole: false }
}

/** The id of a call that was written as text; it only has its event's id. */
function writtenCallId(event: unknown): string {
  return `event_${typeof event === 'number' || typeof event === 'string' ? event : ''}`
}

const toolNames: ReadonlyMap<string, string> = new Map([
  ['run', 'execute_bash'],
  ['run_ipython', 'execute_ipython_cell'],
  ['browse_interactive', 'browser'],
])

const notInput: ReadonlySet<string> = new Set(
  `thought blocking hidden confirmation_state security_risk is_static cwd keep_prompt
  kernel_init_code include_extra impl_source`.split(/\s+/),
)

function aboutReply(event: Fields): Omit<ReplyEvent, 'parts' | 'whole'> {
  const { response, finish } = responseOf(event)
  return {
    type: 'reply',
    response: nameOf(response?.['id']),
    model: nameOf(response?.['model']),
    usage: usageOf(response?.['usage']),
    finish,
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

/** An observation of OpenHands before version 1; `undefined` for a kind that is not known. */
export function readObservation(event: Fields): Event | undefined {
  const observation = textOf(event['observation']) ?? ''
  if (unseenObservations.has(observation)) return { type: 'unseen' }
  if (observation === 'recall') return harness(recallText(fieldsOf(event['extras']) ?? {}))
  const otherwise = unasked(event, observation)
  const result = resultOf(event, observation, otherwise)
  return observation === 'delegate' ? { type: 'delegation-end', result } : (result ?? otherwise)
}

const unseenObservations: ReadonlySet<string> = new Set([
  'agent_state_changed',
  'null',
  // The summary of a condensation, as it appears in a view.
  'condense',
  'loop_detection',
])

/** An observation that answers no call of the model. */
function unasked(event: Fields, observation: string): Event | undefined {
  const words = outputWords(event, observation)
  switch (observation) {
    case 'run':
      return harness(`Observed result of command executed by user:\n${words}`)
    case 'error':
    case 'user_rejected':
      return harness(words)
    case 'think':
    case 'success':
      return { type: 'unseen' }
    default:
      return undefined
  }
}

function harness(words: string): Event {
  return { type: 'said', parts: saidBy(true, textParts(words)) }
}

/** The answer to a call: by the call's id, or by the event of a call that was written as text. */
function resultOf(
  event: Fields,
  observation: string,
  otherwise: Event | undefined,
): Event | undefined {
  const metadata = fieldsOf(event['tool_call_metadata'])
  const named = nameOf(metadata?.['tool_call_id'])
  const { cause } = event
  const toolCallId = named ?? (typeof cause === 'number' ? writtenCallId(cause) : undefined)
  if (!toolCallId) return undefined
  const toolName = nameOf(metadata?.['function_name'])
  const output = outputOf(event, observation)
  const result: Event = { type: 'result', toolCallId, toolName, output }
  return named || !otherwise ? result : { ...result, otherwise }
}

function outputOf(event: Fields, observation: string): ToolOutput {
  const words = outputWords(event, observation)
  if (observation === 'user_rejected') return { type: 'execution-denied', reason: words }
  const images = imageOutputs(fieldsOf(event['extras'])?.['image_urls'])
  const failed = observation === 'error'
  if (failed || images.length === 0) return textOutput(words, failed)
  return { type: 'content', value: [{ type: 'text', text: words }, ...images] }
}

/** The words into which OpenHands puts an observation for the model. */
function outputWords(event: Fields, observation: string): string {
  const extras = fieldsOf(event['extras'])
  const content = textOf(event['content']) ?? textOf(event['message']) ?? ''
  switch (observation) {
    case 'run':
      return commandOutput(content, extras?.['metadata'])
    case 'run_ipython':
      return withoutImages(content)
    case 'delegate':
      return textOf(fieldsOf(extras?.['outputs'])?.['content']) ?? content
    case 'error':
      return `${content}\n[Error occurred in processing last action]`
    case 'user_rejected':
      return `OBSERVATION:\n${content}\n[Last action has been rejected by the user]`
    default:
      return content
  }
}

const image = '![image](data:image/png;base64,'

function withoutImages(words: string): string {
  if (!words.includes(image)) return words
  return words
    .split('\n')
    .map((line) => (line.includes(image) ? `${image} ...) already displayed to user` : line))
    .join('\n')
}

/**
 * What OpenHands looked up and told the model: the workspace, the repository's rules, notes
 * triggered by a word of the user's. Its own wording isn't recorded.
 */
function recallText(extras: Fields): string {
  const named = (name: string, value: unknown): string[] =>
    text(value).map((part) => `${name}: ${part.text}`)
  return [
    ...named('Repository', extras['repo_name'] ?? extras['repo_directory']),
    ...named('Working directory', extras['working_dir']),
    ...[nameOf(extras['repo_instructions']) ?? []].flat(),
    ...[nameOf(extras['additional_agent_instructions']) ?? []].flat(),
    ...[nameOf(extras['conversation_instructions']) ?? []].flat(),
    ...named('Date', extras['date']),
    ...objectsOf(extras['microagent_knowledge']).flatMap(({ content }) => nameOf(content) ?? []),
  ].join('\n\n')
}
