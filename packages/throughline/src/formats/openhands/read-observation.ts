import { fieldsOf, nameOf, textOf, type Fields, objectsOf, listOf } from '../../json/fields.ts'
import { textParts } from './state.ts'
import { writtenCallId } from './model-action.ts'
import type { ToolOutput, ToolOutputPart } from '../../log/message.ts'
import type { Event } from './state.ts'
import { imageIn } from '../codex/items.ts'
import { media, outputMedia } from '../conversation/parts.ts'
import type { OriginPart } from '../conversation/user-messages.ts'

/** An observation of OpenHands before version 1; `undefined` for a kind that is not known. */
export function readObservation(event: Fields): Event | undefined {
  const observation = textOf(event['observation']) ?? ''
  if (unseen.has(observation)) return { type: 'unseen' }
  if (observation === 'recall') return harness(recallText(fieldsOf(event['extras']) ?? {}))
  const otherwise = unasked(event, observation)
  const result = resultOf(event, observation, otherwise)
  return observation === 'delegate' ? { type: 'delegation-end', result } : (result ?? otherwise)
}

/** An observation that answers no call of the model. */
function unasked(event: Fields, observation: string): Event | undefined {
  const text = outputText(event, observation)
  switch (observation) {
    case 'run':
      return harness(`Observed result of command executed by user:\n${text}`)
    case 'error':
    case 'user_rejected':
      return harness(text)
    case 'think':
    case 'success':
      return { type: 'unseen' }
    default:
      return undefined
  }
}

const unseen: ReadonlySet<string> = new Set([
  'agent_state_changed',
  'null',
  // The summary of a condensation, as it appears in a view.
  'condense',
  'loop_detection',
])

function harness(text: string): Event {
  const parts = textParts(text).map(({ part }) => ({ origin: 'harness' as const, part }))
  return { type: 'said', parts }
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
  const text = outputText(event, observation)
  if (observation === 'user_rejected') return { type: 'execution-denied', reason: text }
  if (observation === 'error') return { type: 'error-text', value: text }
  const images = imageOutputs(fieldsOf(event['extras'])?.['image_urls'])
  if (images.length === 0) return { type: 'text', value: text }
  return { type: 'content', value: [{ type: 'text', text }, ...images] }
}

/** The words into which OpenHands puts an observation for the model. */
function outputText(event: Fields, observation: string): string {
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

function withoutImages(text: string): string {
  if (!text.includes(image)) return text
  return text
    .split('\n')
    .map((line) => (line.includes(image) ? `${image} ...) already displayed to user` : line))
    .join('\n')
}

/**
 * What OpenHands looked up and told the model: the workspace, the repository's rules, notes
 * triggered by a word of the user's. Its own wording isn't recorded.
 */
function recallText(extras: Fields): string {
  const texts = [
    named('Repository', extras['repo_name'] ?? extras['repo_directory']),
    named('Working directory', extras['working_dir']),
    nameOf(extras['repo_instructions']),
    nameOf(extras['additional_agent_instructions']),
    nameOf(extras['conversation_instructions']),
    named('Date', extras['date']),
    ...objectsOf(extras['microagent_knowledge']).map(({ content }) => nameOf(content)),
  ]
  return texts.filter((text) => text !== undefined).join('\n\n')
}

function named(name: string, value: unknown): string | undefined {
  const text = nameOf(value)
  return text === undefined ? undefined : `${name}: ${text}`
}

/** A command's output, with the lines that OpenHands adds around it for the model. */
export function commandOutput(content: string, metadata: unknown): string {
  const fields = fieldsOf(metadata)
  if (!fields) return content
  const lines = [
    `${textOf(fields['prefix']) ?? ''}${content}${textOf(fields['suffix']) ?? ''}`,
    line('Current working directory:', nameOf(fields['working_dir'])),
    line('Python interpreter:', nameOf(fields['py_interpreter_path'])),
    line('Command finished with exit code', exitCode(fields['exit_code'])),
  ]
  return lines.filter((text) => text !== undefined).join('\n')
}

function line(name: string, value: string | undefined): string | undefined {
  return value === undefined ? undefined : `[${name} ${value}]`
}

/** −1 means that the command is still running. */
function exitCode(value: unknown): string | undefined {
  return typeof value === 'number' && value !== -1 ? String(value) : undefined
}

/** The images of a message, by their addresses. */
export function imageParts(urls: unknown): OriginPart[] {
  return listOf(urls).flatMap((url) => {
    const [part] = media(imageIn({ image_url: url }))
    return part ? [{ origin: 'human', part }] : []
  })
}

export function imageOutputs(urls: unknown): ToolOutputPart[] {
  return listOf(urls).flatMap((url) => outputMedia(imageIn({ image_url: url })))
}
