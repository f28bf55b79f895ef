import { by, media, outputMedia } from '../conversation/parts.ts'
import { fieldsOf, listOf, nameOf, textOf, type Fields } from '../../json/fields.ts'
import { madeParts, saidParts, type OriginPart } from '../conversation/user-messages.ts'
import type { AssistantPart, ToolOutput, ToolOutputPart } from '../../log/message.ts'
import type { FinishReason, Usage } from '../../log/entry.ts'

/** The common content of an event in any version of OpenHands. */
export type Event =
  | { type: 'system'; text: string }
  /** What stands in the user's role. */
  | { type: 'said'; parts: OriginPart[] }
  | ReplyEvent
  | ResultEvent
  | { type: 'condensation'; summary: string | undefined; forgets: (id: EventId) => boolean }
  /** Between these two, another agent works, whose events the model doesn't see. */
  | { type: 'delegation'; reply: ReplyEvent | undefined }
  | { type: 'delegation-end'; result: Event | undefined }
  /** Only for the user's page. */
  | { type: 'unseen' }

/** Numbers before version 1, texts since. */
export type EventId = number | string

export interface ResultEvent {
  type: 'result'
  toolCallId: string
  toolName: string | undefined
  output: ToolOutput
  /** What it is if the model made no such call. */
  otherwise?: Event
}

export interface ReplyEvent {
  type: 'reply'
  /** The model's response, which may produce several events. */
  response: string | undefined
  parts: AssistantPart[]
  /** Whether these are all parts of the response, so that its other events add nothing. */
  whole: boolean
  model?: string | undefined
  usage?: Usage | undefined
  finish?: FinishReason | undefined
}

const sources: ReadonlySet<unknown> = new Set(['agent', 'user', 'environment', 'hook'])

/** Whether a record is an event at all. */
export function isEvent(record: Fields): boolean {
  if (!sources.has(record['source'])) return false
  if (nameOf(record['action'])) return typeof record['args'] === 'object'
  if (nameOf(record['observation'])) return typeof record['content'] === 'string'
  const kind = nameOf(record['kind'])
  return kind !== undefined && /(?:Event|Observation|Condensation|Request)$/.test(kind)
}

const taskStart = '--------------------- NEW TASK DESCRIPTION ---------------------\n'
const taskEnd = '\n--------------------- END OF NEW TASK DESCRIPTION ---------------------'

/** A user's text, divided into what the human said and what the harness added. */
export function textParts(text: string): OriginPart[] {
  return behindExample(text) ?? saidParts(text)
}

/** For models without tools, the first task follows an example of how to write calls. */
export function behindExample(text: string): OriginPart[] | undefined {
  if (!text.startsWith("Here's a running example of how to perform a task")) return undefined
  const start = text.indexOf(taskStart) + taskStart.length
  const end = text.lastIndexOf(taskEnd)
  if (start < taskStart.length || end <= start) return undefined
  return [
    ...madeParts(text.slice(0, start)),
    ...saidParts(text.slice(start, end)),
    ...madeParts(text.slice(end)),
  ]
}

/** The images of a message, by their addresses. */
export function imageParts(urls: unknown): OriginPart[] {
  return by(
    'human',
    listOf(urls).flatMap((url) => media(imageAt(url))),
  )
}

export function imageOutputs(urls: unknown): ToolOutputPart[] {
  return listOf(urls).flatMap((url) => outputMedia(imageAt(url)))
}

function imageAt(url: unknown): { from: unknown } {
  return { from: nameOf(url) ?? fieldsOf(url)?.['url'] }
}

/** A command's output, with the lines that OpenHands adds around it for the model. */
export function commandOutput(content: string, metadata: unknown): string {
  const fields = fieldsOf(metadata)
  if (!fields) return content
  const { exit_code: code } = fields
  // −1 means that the command is still running.
  const exitCode = typeof code === 'number' && code !== -1 ? String(code) : undefined
  const lines = [
    ['Current working directory:', nameOf(fields['working_dir'])],
    ['Python interpreter:', nameOf(fields['py_interpreter_path'])],
    ['Command finished with exit code', exitCode],
  ].flatMap(([name, value]) => (value === undefined ? [] : [`[${name} ${value}]`]))
  const whole = `${textOf(fields['prefix']) ?? ''}${content}${textOf(fields['suffix']) ?? ''}`
  return [whole, ...lines].join('\n')
}
