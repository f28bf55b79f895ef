import { omit } from '../omitted.ts'
import { textOutput } from '../conversation/tool-output.ts'
import {
  fieldsOf,
  nameOf,
  timeOf,
  boundedValue,
  countOf,
  objectsOf,
  textOf,
} from '../../json/fields.ts'
import { addResult, closeResults, giveEntries, giveReply } from '../conversation/conversation.ts'
import { userMessages } from '../conversation/user-messages.ts'
import { partsOf, isCommand, userParts, inlineData } from './user-parts.ts'
import type { Fields } from '../../json/fields.ts'
import type { State } from './state.ts'
import type { Metadata, Usage } from '../../log/entry.ts'
import type { AssistantPart, ToolCallPart, ToolOutput, ToolOutputPart } from '../../log/message.ts'

export interface GiveOptions {
  /** What the model said with these calls, in an earlier message. */
  said?: Fields | undefined
  /** The view was written again, and the message was already in it. */
  restored?: true
}

/** Adds a message that will not be written again, and records its position. */
export function giveMessage(state: State, message: Fields, options: GiveOptions = {}): void {
  const { said, restored } = options
  const ids = [said?.['id'], message['id']].flatMap((id) => nameOf(id) ?? [])
  state.at = timeOf(message['timestamp']) ?? state.at
  const metadata = {
    ...(ids.length > 0 && { source: { records: ids } }),
    ...(restored && { restored }),
  }
  const first = state.drafts.given + 1
  if (message['type'] === 'gemini') giveModel(state, said ? [said, message] : [message], metadata)
  else giveUser(state, message, metadata)
  closeResults(state.conversation)
  const span = { first, last: state.drafts.given }
  for (const id of ids) {
    state.given.set(id, span)
    state.order.push(id)
  }
}

function giveModel(state: State, messages: readonly Fields[], metadata: Metadata): void {
  const replies = messages.map(replyOf)
  const parts = replies.flatMap((reply) => reply.parts)
  const model = messages.map((message) => nameOf(message['model'])).find(Boolean)
  const usage = messages.map((message) => usageOf(message['tokens'])).find(Boolean)
  if (model) state.facts.model = model
  const { at, conversation } = state
  if (!giveReply(conversation, { at, parts, model, usage, metadata })) {
    return omit(state, 'unfinished')
  }
  for (const { results } of replies) {
    for (const result of results) addResult(conversation, { at, ...result })
  }
}

/** Newer versions write results a second time, in the user's role. */
function giveUser(state: State, message: Fields, metadata: Metadata): void {
  const { content } = message
  for (const part of partsOf(content)) {
    const response = fieldsOf(part['functionResponse'])
    if (!response) continue
    const toolName = nameOf(response['name'])
    const toolCallId = nameOf(response['id']) ?? openCall(state, toolName)
    // A call that is said again waits for its result again.
    const waits = toolCallId !== undefined && state.conversation.open.has(toolCallId)
    if (toolCallId === undefined || (state.results.has(toolCallId) && !waits)) continue
    const output = outputOf([part], false)
    addResult(state.conversation, { at: state.at, toolCallId, toolName, output })
  }
  if (isCommand(content)) return omit(state, 'command')
  const said = userParts(content, isOwnHarness(message))
  giveEntries(state.conversation, userMessages(said, state.at, metadata))
}

/** The call that a response without an id answers: the first open one of its tool. */
function openCall({ conversation }: State, name: string | undefined): string | undefined {
  return [...conversation.open].find((id) => conversation.tools.get(id) === name)
}

/** Gemini CLI has no mark for what the harness says in the user's role: we have one of ours. */
function isOwnHarness(message: Fields): boolean {
  return fieldsOf(message['throughline'])?.['origin'] === 'harness'
}

/** A reply of the model with the results of its calls. Its thoughts are only for the screen. */
interface GeminiReply {
  parts: AssistantPart[]
  results: { toolCallId: string; toolName: string; output: ToolOutput }[]
}

/** Some versions write a call twice: in the content, and with its result in the list of calls. */
function replyOf(message: Fields): GeminiReply {
  const id = nameOf(message['id']) ?? 'call'
  const said = partsOf(message['content']).flatMap(contentPart)
  const parts: AssistantPart[] = []
  const known = new Set<string>()
  for (const part of said) {
    if (part.type === 'tool-call') known.add(part.toolCallId)
    parts.push(part)
  }
  const results: GeminiReply['results'] = []
  objectsOf(message['toolCalls']).forEach((call, index) => {
    const part = callPart(call, `${id}_${index}`)
    if (!part) return
    const { toolCallId, toolName } = part
    if (!known.has(toolCallId)) parts.push(part)
    const output = callOutput(call)
    if (output) results.push({ toolCallId, toolName, output })
  })
  return { parts, results }
}

function contentPart(part: Fields): AssistantPart[] {
  if (part['thought'] === true) return []
  const text = nameOf(part['text'])
  if (text) return [{ type: 'text', text }]
  const call = fieldsOf(part['functionCall'])
  // Without an id, the list of calls identifies it.
  const found = call && nameOf(call['id']) ? callPart(call, '') : undefined
  return found ? [{ ...found, ...sealOf(part) }] : []
}

function callPart(call: Fields, unnamed: string): ToolCallPart | undefined {
  const toolName = nameOf(call['name'])
  const toolCallId = nameOf(call['id']) ?? unnamed
  if (!toolName) return undefined
  const input = boundedValue(call['args'] ?? {})
  return { type: 'tool-call', toolCallId, toolName, input }
}

/** Gemini 3 wants its signature on a call returned. */
function sealOf(part: Fields): Pick<ToolCallPart, 'providerOptions'> {
  const thoughtSignature = nameOf(part['thoughtSignature'])
  return thoughtSignature ? { providerOptions: { google: { thoughtSignature } } } : {}
}

/** The tokens of one reply; what was cached is part of the input. */
function usageOf(value: unknown): Usage | undefined {
  const tokens = fieldsOf(value)
  const inputTokens = countOf(tokens?.['input'])
  if (!inputTokens) return undefined
  const cacheReadTokens = countOf(tokens?.['cached'])
  return {
    inputTokens,
    outputTokens: (countOf(tokens?.['output']) ?? 0) + (countOf(tokens?.['thoughts']) ?? 0),
    ...(cacheReadTokens !== undefined && { cacheReadTokens }),
  }
}

/** What the record of a call gave the model; `undefined` if it never got a result. */
export function callOutput(call: Fields): ToolOutput | undefined {
  const { result, status } = call
  if (result === undefined || result === null) return undefined
  const parts = ownParts(partsOf(result), nameOf(call['id']))
  return outputOf(parts, status === 'error' || status === 'cancelled')
}

/**
 * What stands in a record for this call: a resumed session has the responses to all calls of a
 * step under each of them, and what a tool gave besides behind its response.
 */
function ownParts(parts: readonly Fields[], id: string | undefined): readonly Fields[] {
  const ids = parts.map((part) => nameOf(fieldsOf(part['functionResponse'])?.['id']))
  const start = id === undefined ? -1 : ids.indexOf(id)
  if (start < 0) return parts
  const end = parts.findIndex((part, index) => index > start && 'functionResponse' in part)
  return parts.slice(start, end < 0 ? undefined : end)
}

/** The content of a response to a call, with the media next to it. */
export function outputOf(parts: readonly Fields[], failed: boolean): ToolOutput {
  const responses = objectsOf(parts.map((part) => part['functionResponse']))
  const [response] = responses
  const media = [...parts, ...responses.flatMap(({ parts: inner }) => partsOf(inner))]
  const files = media.flatMap(filePart)
  const text = response ? undefined : parts.map((part) => textOf(part['text']) ?? '').join('\n')
  const output = responseOutput(response?.['response'] ?? { output: text ?? '' }, failed)
  if (files.length === 0) return output
  const said = 'value' in output ? output.value : ''
  const first = { type: 'text', text: typeof said === 'string' ? said : JSON.stringify(said) }
  const error = output.type.startsWith('error') && { gemini: { failed: true } }
  return { type: 'content', value: [first, ...files], ...(error && { providerOptions: error }) }
}

function responseOutput(value: unknown, failed: boolean): ToolOutput {
  const response = fieldsOf(value)
  const error = textOf(response?.['error'])
  if (error !== undefined) return { type: 'error-text', value: error }
  const output = textOf(response?.['output'])
  if (output !== undefined) return textOutput(output, failed)
  return { type: failed ? 'error-json' : 'json', value: boundedValue(value) }
}

function filePart(part: Fields): ToolOutputPart[] {
  const found = inlineData(part)
  if (!found) return []
  const { mediaType, data } = found
  return [{ type: 'file', mediaType, data: { type: 'data', data } }]
}
