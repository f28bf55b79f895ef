import { omit } from '../omitted.ts'
import { newSessionState, sessionReader, type SessionState } from '../conversation/session-state.ts'
import { addResult, closeResults, giveReply } from '../conversation/conversation.ts'
import { type Result } from '../conversation/conversation.ts'
import {
  boundedValue,
  countOf,
  dataOf,
  decodedInput,
  fieldsOf,
  listOf,
  nameOf,
  objectsOf,
  textOf,
  timeOf,
  type Fields,
} from '../../json/fields.ts'
import { give } from '../reading/grown-log.ts'
import { madeParts, saidInParts } from '../conversation/user-messages.ts'
import { modelNameOf } from '../writing/written-fields.ts'
import { userMessages, type OriginPart } from '../conversation/user-messages.ts'
import type { AssistantPart, ToolOutput, ToolOutputPart, UserPart } from '../../log/message.ts'
import type { FinishReason, Metadata, Seq, Usage } from '../../log/entry.ts'
import type { FormatReader } from '../format.ts'

interface State extends SessionState {
  /** By message: the seq that its first entry has. */
  firstOf: Map<string, Seq>
}

/** A new reader for one export. */
export function opencodeV2Reader(): FormatReader {
  return sessionReader<State>({ ...newSessionState(), firstOf: new Map() }, readSession)
}

/** The messages stand in their order: no id and no time tells it. */
function readSession(state: State, record: Fields): void {
  const info = fieldsOf(record['info'])
  const id = nameOf(info?.['id'])
  const title = nameOf(info?.['title'])
  const directory = nameOf(fieldsOf(info?.['location'])?.['directory'])
  if (id) state.facts.id ??= id
  if (title) state.facts.title ??= title
  if (directory) state.facts.directory ??= directory
  for (const value of listOf(record['messages'])) {
    const message = fieldsOf(value)
    if (message) readMessage(state, message)
    else omit(state, 'damaged')
  }
  goBack(state, nameOf(fieldsOf(info?.['revert'])?.['messageID']))
}

/** The human went back to before this message and has said nothing since. */
function goBack(state: State, id: string | undefined): void {
  closeResults(state.conversation)
  const first = state.firstOf.get(id ?? '')
  if (first === undefined || first > state.drafts.given) return
  give(state.drafts, { kind: 'rewind', at: state.at, to: first - 1 })
}

function readMessage(state: State, message: Fields): void {
  const id = nameOf(message['id'])
  if (id && state.firstOf.has(id)) return omit(state, 'duplicate')
  state.at = timeOf(fieldsOf(message['time'])?.['created']) ?? state.at
  closeResults(state.conversation)
  if (id) state.firstOf.set(id, state.drafts.given + 1)
  const metadata = id ? { source: { records: [id] } } : undefined
  switch (message['type']) {
    case 'user':
      return readUser(state, saidInParts(userParts(message)), metadata)
    case 'synthetic':
    case 'system':
    case 'skill':
      return readUser(state, madeParts(textOf(message['text']) ?? ''), metadata)
    case 'shell':
      return readUser(state, madeParts(shellText(message)), metadata)
    case 'assistant':
      return readReply(state, message, metadata)
    case 'compaction':
      return readCompaction(state, message, metadata)
    case 'model-switched':
      return noteModel(state, message['model'])
  }
}

function noteModel({ facts }: State, model: unknown): void {
  const name = modelNameOf(fieldsOf(model)?.['id'])
  if (name) facts.model = name
}

function readUser(
  { conversation, at }: State,
  parts: readonly OriginPart[],
  metadata: Metadata | undefined,
): void {
  const drafts = userMessages(parts, at, metadata)
  if (drafts.length === 0) return
  conversation.open.clear()
  for (const draft of drafts) conversation.give(draft)
}

function userParts(message: Fields): OriginPart[] {
  const text = nameOf(message['text'])
  const files = objectsOf(message['files']).flatMap((file): OriginPart[] => {
    const part = filePart(file)
    return part ? [{ origin: 'human', part }] : []
  })
  return [...(text ? [{ origin: 'human', part: { type: 'text', text } } as const] : []), ...files]
}

function filePart(file: Fields): UserPart | undefined {
  const uri = nameOf(file['uri'])
  const mediaType = nameOf(file['mime'])
  if (!uri || !mediaType) return undefined
  const data = dataOf(uri)?.data ?? uri
  if (mediaType.startsWith('image/')) return { type: 'image', image: data, mediaType }
  const filename = nameOf(file['name'])
  return { type: 'file', data, mediaType, ...(filename && { filename }) }
}

/** A command that the human ran outside the conversation. */
function shellText(message: Fields): string {
  const { output } = message
  const printed = textOf(output) ?? textOf(fieldsOf(output)?.['output']) ?? ''
  const exit = countOf(message['exit'])
  const ended = exit === undefined || exit === 0 ? '' : `\n\nIt ended with ${exit}.`
  return `The user ran a command: ${textOf(message['command']) ?? ''}\n\n${printed}${ended}`
}

function readReply(state: State, message: Fields, metadata: Metadata | undefined): void {
  noteModel(state, message['model'])
  const { conversation, at, facts } = state
  const blocks = objectsOf(message['content'])
  const given = giveReply(conversation, {
    at,
    parts: blocks.flatMap(replyParts),
    model: facts.model,
    usage: usageOf(fieldsOf(message['tokens'])),
    finish: finishes.get(message['finish']),
    metadata,
  })
  if (!given) return omit(state, message['error'] === undefined ? 'unfinished' : 'failed-reply')
  for (const block of blocks)
    for (const result of resultOf(block)) addResult(conversation, { at, ...result })
}

const finishes = new Map<unknown, FinishReason>(
  (['stop', 'length', 'content-filter', 'tool-calls', 'error', 'other'] as const).map((name) => [
    name,
    name,
  ]),
)

function replyParts(block: Fields): AssistantPart[] {
  const text = textOf(block['text']) ?? ''
  switch (block['type']) {
    case 'text':
      return text === '' ? [] : [{ type: 'text', text }]
    case 'reasoning':
      return text === '' ? [] : [{ type: 'reasoning', text }]
    case 'tool':
      return callParts(block)
    default:
      return []
  }
}

/** A call, and right beside it the result of one that the provider itself has run. */
function callParts(block: Fields): AssistantPart[] {
  const toolCallId = nameOf(block['id'])
  const toolName = nameOf(block['name'])
  if (!toolCallId || !toolName) return []
  // While a call is streamed, its input is a text.
  const input = boundedValue(decodedInput(fieldsOf(block['state'])?.['input']))
  const call = { type: 'tool-call' as const, toolCallId, toolName, input }
  const output = block['executed'] === true ? outputOf(fieldsOf(block['state'])) : undefined
  return output === undefined
    ? [call]
    : [call, { type: 'tool-result', toolCallId, toolName, output }]
}

function resultOf(block: Fields): Omit<Result, 'at'>[] {
  const toolCallId = nameOf(block['id'])
  if (block['type'] !== 'tool' || !toolCallId || block['executed'] === true) return []
  const output = outputOf(fieldsOf(block['state']))
  return output === undefined ? [] : [{ toolCallId, output }]
}

/** A call that is streamed or runs has none yet. */
function outputOf(state: Fields | undefined): ToolOutput | undefined {
  const status = state?.['status']
  if (status !== 'completed' && status !== 'error') return undefined
  const failed = status === 'error'
  const pieces = objectsOf(state?.['content']).flatMap(outputPart)
  const error = textOf(fieldsOf(state?.['error'])?.['message']) ?? textOf(state?.['error']) ?? ''
  if (pieces.every(({ type }) => type === 'text')) {
    const words = pieces.map(({ text }) => text ?? '').join('\n')
    return failed
      ? { type: 'error-text', value: words === '' ? error : words }
      : { type: 'text', value: words }
  }
  const noted = failed && { providerOptions: { opencode: { failed } } }
  return { type: 'content', value: pieces, ...noted }
}

function outputPart(block: Fields): ToolOutputPart[] {
  if (block['type'] === 'text') return [{ type: 'text', text: textOf(block['text']) ?? '' }]
  const uri = nameOf(block['uri'])
  const mediaType = nameOf(block['mime'])
  if (!uri || !mediaType) return []
  const data = dataOf(uri)?.data
  const from = data === undefined ? { type: 'url', url: uri } : { type: 'data', data }
  return [{ type: 'file', mediaType, data: from }]
}

function usageOf(tokens: Fields | undefined): Usage | undefined {
  const fresh = countOf(tokens?.['input'])
  const said = countOf(tokens?.['output'])
  if (fresh === undefined || said === undefined) return undefined
  const cache = fieldsOf(tokens?.['cache'])
  const cacheReadTokens = countOf(cache?.['read']) ?? 0
  const cacheWriteTokens = countOf(cache?.['write']) ?? 0
  const inputTokens = fresh + cacheReadTokens + cacheWriteTokens
  const outputTokens = said + (countOf(tokens?.['reasoning']) ?? 0)
  return inputTokens === 0
    ? undefined
    : { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }
}

/** What the model sees begins with the newest compaction that succeeded: its summary, and the end as text. */
function readCompaction(state: State, message: Fields, metadata: Metadata | undefined): void {
  if (message['status'] !== 'completed') return omit(state, 'unfinished')
  const summary = textOf(message['summary']) ?? ''
  const recent = textOf(message['recent']) ?? ''
  const end = recent.trim() === '' ? '' : `\n\n<recent-context>\n${recent}\n</recent-context>`
  give(state.drafts, {
    kind: 'checkpoint',
    at: state.at,
    base: state.drafts.given,
    summary: `${summary}${end}`.trim() === '' ? noSummary : `${summary}${end}`,
    summarizer: 'opencode-v2',
    tail: [],
    continuation: null,
    metadata: { ...metadata },
  })
}

const noSummary = 'opencode compacted the session here. Its file contains no summary.'
