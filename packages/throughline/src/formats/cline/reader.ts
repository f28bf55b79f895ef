import { omit } from '../omitted.ts'
import { outputOfPieces, textOutput } from '../conversation/tool-output.ts'
import { newSessionState, sessionReader, type SessionState } from '../conversation/session-state.ts'
import { addResult, closeResults, giveReply } from '../conversation/conversation.ts'
import {
  boundedValue,
  countOf,
  fieldsOf,
  jsonOf,
  listOf,
  nameOf,
  objectsOf,
  textOf,
  timeOf,
  type Fields,
} from '../../json/fields.ts'
import { give } from '../reading/grown-log.ts'
import { isWrapped, typedParts } from './user-input.ts'
import { madeParts, saidInParts } from '../conversation/user-messages.ts'
import { userMessages, type OriginPart } from '../conversation/user-messages.ts'
import type { AssistantPart, ToolOutput, ToolOutputPart } from '../../log/message.ts'
import type { FormatReader } from '../format.ts'
import type { Usage } from '../../log/entry.ts'

interface State extends SessionState {
  /** Cline marks what the human typed: everything else in their place is its own. */
  marked: boolean
}

/** A new reader for one session. */
export function clineReader(): FormatReader {
  return sessionReader<State>({ ...newSessionState(), marked: false }, readSession)
}

function readSession(state: State, record: Fields): void {
  const { facts } = state
  const id = nameOf(record['sessionId'])
  const system = nameOf(record['system_prompt'])
  if (id) facts.id ??= id
  if (system) facts.system ??= system
  const messages = listOf(record['messages'])
  state.marked ||=
    isNew(record) || messages.some((value) => blocksOf(fieldsOf(value)?.['content']).some(isMarked))
  for (const value of messages) {
    const message = fieldsOf(value)
    if (message) readMessage(state, message)
    else omit(state, 'damaged')
  }
}

/** Whether a version of Cline wrote it that marks what the human typed, even if they typed nothing. */
function isNew(record: Fields): boolean {
  return (
    fieldsOf(record['origin']) !== undefined ||
    countOf(record['source_message_count']) !== undefined
  )
}

function isMarked(block: Fields): boolean {
  return block['type'] === 'text' && isWrapped(textOf(block['text']) ?? '')
}

function blocksOf(content: unknown): Fields[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : objectsOf(content)
}

function readMessage(state: State, message: Fields): void {
  state.at = timeOf(message['ts']) ?? state.at
  const metadata = fieldsOf(message['metadata'])
  const blocks = blocksOf(message['content'])
  if (metadata?.['kind'] === 'compaction_summary') return readSummary(state, metadata, blocks)
  if (message['role'] === 'assistant') return readReply(state, message, blocks)
  if (message['role'] !== 'user') return
  for (const block of blocks) if (block['type'] === 'tool_result') readResult(state, block)
  readUser(state, message, blocks)
}

/** A summary stands in the place of what it sums up. */
function readSummary(state: State, metadata: Fields, blocks: readonly Fields[]): void {
  closeResults(state.conversation)
  const shown = blocks.map((block) => textOf(block['text']) ?? '').join('\n')
  const preTokens = countOf(metadata['tokensBefore'])
  give(state.drafts, {
    kind: 'checkpoint',
    at: state.at,
    base: state.drafts.given,
    summary: nameOf(metadata['summary']) ?? (shown.trim() === '' ? noSummary : shown),
    summarizer: 'cline',
    tail: [],
    continuation: null,
    metadata: preTokens === undefined ? {} : { preTokens },
  })
}

const noSummary = 'Cline compacted the session here. Its file contains no summary.'

function readUser(state: State, message: Fields, blocks: readonly Fields[]): void {
  const own = isOwn(fieldsOf(message['metadata']))
  const parts = blocks.flatMap((block) => userParts(block, state.marked && !own))
  const id = nameOf(message['id'])
  const metadata = id ? { source: { records: [id] } } : undefined
  const said = own
    ? parts.map(({ part }) => ({ origin: 'harness', part }) as const)
    : saidInParts(parts)
  const drafts = userMessages(said, state.at, metadata)
  if (drafts.length === 0) return
  const { conversation } = state
  closeResults(conversation)
  conversation.open.clear()
  for (const draft of drafts) conversation.give(draft)
}

/**
 * Whether Cline notes that it said a message itself. It notes the same where it has compacted, and
 * there the human's words remain.
 */
function isOwn(metadata: Fields | undefined): boolean {
  const kind = textOf(metadata?.['kind'])
  if (kind === 'compaction') return false
  return kind !== undefined || ownRoles.has(metadata?.['displayRole'])
}

const ownRoles: ReadonlySet<unknown> = new Set(['system', 'status', 'error'])

function userParts(block: Fields, marked: boolean): OriginPart[] {
  switch (block['type']) {
    case 'text': {
      const text = textOf(block['text']) ?? ''
      return marked
        ? typedParts(text)
        : text === ''
          ? []
          : [{ origin: 'human', part: { type: 'text', text } }]
    }
    case 'image': {
      const image = nameOf(block['data'])
      const mediaType = nameOf(block['mediaType'])
      return image && mediaType
        ? [{ origin: 'human', part: { type: 'image', image, mediaType } }]
        : []
    }
    case 'file':
      return madeParts(fileText(block))
    default:
      return []
  }
}

/** A file that goes along, in the words that Cline gives to the model. */
function fileText({ path, content }: Fields): string {
  return `<file_content path="${textOf(path) ?? ''}">\n${textOf(content) ?? ''}\n</file_content>`
}

function readReply(state: State, message: Fields, blocks: readonly Fields[]): void {
  const model = nameOf(fieldsOf(message['modelInfo'])?.['id'])
  if (model) state.facts.model = model
  const { conversation, at, facts } = state
  const id = nameOf(message['id'])
  const given = giveReply(conversation, {
    at,
    parts: blocks.flatMap(replyPart),
    model: facts.model,
    usage: usageOf(fieldsOf(message['metrics'])),
    metadata: id ? { source: { records: [id] } } : undefined,
  })
  if (!given) omit(state, 'unfinished')
}

function replyPart(block: Fields): AssistantPart[] {
  const signature = nameOf(block['signature'])
  switch (block['type']) {
    case 'text': {
      const text = nameOf(block['text'])
      return text ? [{ type: 'text', text }] : []
    }
    case 'thinking': {
      const text = textOf(block['thinking']) ?? ''
      if (text === '' && !signature) return []
      return [
        {
          type: 'reasoning',
          text,
          ...(signature && { providerOptions: { anthropic: { signature } } }),
        },
      ]
    }
    case 'redacted_thinking': {
      const redactedData = nameOf(block['data'])
      return redactedData
        ? [{ type: 'reasoning', text: '', providerOptions: { anthropic: { redactedData } } }]
        : []
    }
    case 'tool_use': {
      const toolCallId = nameOf(block['id'])
      const toolName = nameOf(block['name'])
      if (!toolCallId || !toolName) return []
      const input = boundedValue(block['input'] ?? {})
      const sealed = signature && { providerOptions: { google: { thoughtSignature: signature } } }
      return [{ type: 'tool-call', toolCallId, toolName, input, ...sealed }]
    }
    default:
      return []
  }
}

function usageOf(metrics: Fields | undefined): Usage | undefined {
  const inputTokens = countOf(metrics?.['inputTokens'])
  const outputTokens = countOf(metrics?.['outputTokens'])
  if (!inputTokens || outputTokens === undefined) return undefined
  const cacheReadTokens = countOf(metrics?.['cacheReadTokens']) ?? 0
  const cacheWriteTokens = countOf(metrics?.['cacheWriteTokens']) ?? 0
  return { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }
}

function readResult({ conversation, at }: State, block: Fields): void {
  const toolCallId = nameOf(block['tool_use_id'])
  if (!toolCallId) return
  const output = outputOf(block['content'], block['is_error'] === true)
  addResult(conversation, { at, toolCallId, output, toolName: nameOf(block['name']) })
}

/** Blocks, a text, or what the tool gave as it is, which a model gets as JSON. */
function outputOf(content: unknown, failed: boolean): ToolOutput {
  const blocks = objectsOf(content)
  const shown = blocks.length > 0 && blocks.every(({ type }) => blockTypes.has(type))
  if (!shown) {
    return textOutput(textOf(content) ?? operationsText(blocks) ?? jsonOf(content) ?? '', failed)
  }
  return outputOfPieces(blocks.flatMap(outputPart), failed, { cline: { failed } })
}

const blockTypes: ReadonlySet<unknown> = new Set(['text', 'image', 'file'])

/** The single result of the single thing that a call of several asked for. */
function operationsText(operations: readonly Fields[]): string | undefined {
  const [only] = operations
  if (operations.length !== 1 || only?.['success'] !== true) return undefined
  return textOf(only['result'])
}

function outputPart(block: Fields): ToolOutputPart[] {
  if (block['type'] === 'file') return [{ type: 'text', text: fileText(block) }]
  if (block['type'] === 'text') return [{ type: 'text', text: textOf(block['text']) ?? '' }]
  const data = nameOf(block['data'])
  const mediaType = nameOf(block['mediaType'])
  return data && mediaType ? [{ type: 'file', mediaType, data: { type: 'data', data } }] : []
}
