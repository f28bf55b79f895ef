import { omit } from '../omitted.ts'
import { outputOfPieces, textOutput } from '../conversation/tool-output.ts'
import { recordReader } from '../conversation/session-state.ts'
import { fieldsOf, nameOf, timeOf, countOf, objectsOf, textOf } from '../../json/fields.ts'
import { modelNameOf } from '../writing/written-fields.ts'
import { assistantParts } from './assistant-parts.ts'
import {
  closeReply,
  goBack,
  fileReply,
  fileResult,
  fileUnfinished,
  fileUnseen,
  fileUser,
} from '../conversation/tree-session.ts'
import { giveCheckpoint, indexId, newState } from './checkpoint.ts'
import { editContext } from './context-edit.ts'
import { madeParts, saidInParts } from '../conversation/user-messages.ts'
import type { Fields } from '../../json/fields.ts'
import type { State } from './checkpoint.ts'
import type { FormatReader } from '../format.ts'
import type { Metadata, FinishReason, Usage } from '../../log/entry.ts'
import type { OriginPart } from '../conversation/user-messages.ts'
import type { ToolOutput, ToolOutputPart } from '../../log/message.ts'

/** A user's message, or one of an extension, as the model saw it. */
function contentParts(content: unknown, origin: 'human' | 'harness'): OriginPart[] {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  const parts = objectsOf(blocks).flatMap((block): OriginPart[] => {
    if (block['type'] !== 'text') return imageParts(block, origin)
    return madeParts(textOf(block['text']) ?? '').map(({ part }) => ({ origin, part }))
  })
  return saidInParts(parts)
}

function imageParts(block: Fields, origin: 'human' | 'harness'): OriginPart[] {
  const image = nameOf(block['data'])
  const mediaType = nameOf(block['mimeType'])
  if (block['type'] !== 'image' || !image) return []
  return [{ origin, part: { type: 'image', image, ...(mediaType && { mediaType }) } }]
}

/**
 * A command that the human ran outside the conversation, in the words that pi gives to the model.
 */
function bashText(message: Fields): string {
  const output = textOf(message['output']) ?? ''
  const printed = output === '' ? '(no output)' : `\`\`\`\n${output}\n\`\`\``
  const exitCode = countOf(message['exitCode'])
  const cancelled = message['cancelled'] === true
  const path = message['truncated'] === true ? nameOf(message['fullOutputPath']) : undefined
  return [
    `Ran \`${textOf(message['command']) ?? ''}\`\n${printed}`,
    ...(cancelled ? ['(command cancelled)'] : []),
    ...(!cancelled && exitCode ? [`Command exited with code ${exitCode}`] : []),
    ...(path ? [`[Output truncated. Full output: ${path}]`] : []),
  ].join('\n\n')
}

/** The summary of a branch that the human left, in the words that pi gives to the model. */
function branchText(summary: string): string {
  return `The following is a summary of a branch that this conversation came back from:\n\n<summary>\n${summary}</summary>`
}

/** A fresh reader for one session file. */
export function piReader(): FormatReader {
  const state = newState()
  const reader = recordReader(state, readRecord, closeReply)
  return {
    ...reader,
    push(value) {
      const drafts = reader.push(value)
      state.index++
      return drafts
    },
  }
}

function readRecord(state: State, record: Fields): void {
  const { type } = record
  if (type === 'session') return readHeader(state, record)
  if (type === 'session_info') readTitle(state, record)
  if (typeof record['id'] !== 'string' && !flat.has(type)) return
  const id = nameOf(record['id']) ?? indexId(state.index)
  if (state.tree.unitOf.has(id)) return omit(state, 'duplicate')
  state.at = timeOf(record['timestamp']) ?? state.at
  goBack(state, record['parentId'])
  readEntry(state, record)
  state.tree.unitOf.set(id, state.tree.newest)
}

function readTitle({ facts }: State, { name }: Fields): void {
  const title = nameOf(name)
  if (title) facts.title = title
}

/** What version 1 writes, without ids. */
const flat: ReadonlySet<unknown> = new Set([
  'message',
  'compaction',
  'model_change',
  'thinking_level_change',
])

/** A fork repeats no header: the first one is the file's own. */
function readHeader(state: State, record: Fields): void {
  const id = nameOf(record['id'])
  const directory = nameOf(record['cwd'])
  const model = modelNameOf(record['modelId'])
  if (id) state.facts.id ??= id
  if (directory) state.facts.directory ??= directory
  if (model) state.facts.model ??= model
}

function readEntry(state: State, record: Fields): void {
  const message = fieldsOf(record['message'])
  const id = nameOf(record['id'])
  switch (record['type']) {
    case 'message':
      return message ? readMessage(state, message, id) : fileUnseen(state)
    case 'custom_message':
      return readUser(state, contentParts(record['content'], 'harness'), id)
    case 'branch_summary': {
      const summary = nameOf(record['summary'])
      return readUser(state, summary ? harnessText(branchText(summary)) : [], id)
    }
    case 'compaction':
      return giveCheckpoint(state, record)
    case 'context_edit':
      return editContext(state, record)
    case 'model_change':
      noteModel(state, record['modelId'])
      return fileUnseen(state)
    default:
      return fileUnseen(state)
  }
}

function readMessage(state: State, message: Fields, id: string | undefined): void {
  switch (message['role']) {
    case 'assistant':
      return readAssistant(state, message, id)
    case 'toolResult':
      return readResult(state, message, id)
    case 'user':
      return readUser(state, contentParts(message['content'], 'human'), id)
    case 'custom':
    case 'hookMessage':
      return readUser(state, contentParts(message['content'], 'harness'), id)
    case 'bashExecution': {
      const hidden = message['excludeFromContext'] === true
      return readUser(state, hidden ? [] : harnessText(bashText(message)), id)
    }
    default:
      return fileUnseen(state)
  }
}

/** Where a message comes from; version 1 names its entries by their position alone. */
function sourceOf(id: string | undefined): Metadata | undefined {
  return id === undefined ? undefined : { source: { records: [id] } }
}

function harnessText(text: string): OriginPart[] {
  return [{ origin: 'harness', part: { type: 'text', text } }]
}

function noteModel(state: State, value: unknown): void {
  const model = modelNameOf(value)
  if (model) state.facts.model = model
}

function readUser(state: State, parts: readonly OriginPart[], id: string | undefined): void {
  fileUser(state, parts, sourceOf(id))
}

function readAssistant(state: State, message: Fields, id: string | undefined): void {
  // pi never shows the model a reply that failed or was stopped.
  const stopReason = message['stopReason']
  if (stopReason === 'error' || stopReason === 'aborted') return fileUnfinished(state)
  noteModel(state, message['model'])
  fileReply(state, {
    parts: assistantParts(message),
    model: modelNameOf(message['model']),
    usage: usageOf(message['usage']),
    finish: finishOf(stopReason),
    metadata: sourceOf(id),
  })
}

function readResult(state: State, message: Fields, record: string | undefined): void {
  const toolCallId = nameOf(message['toolCallId'])
  if (!toolCallId) return fileUnseen(state)
  const toolName = nameOf(message['toolName'])
  fileResult(state, { toolCallId, toolName, output: toolOutput(message), record })
}

/** The tokens of one reply; pi counts cached input separately. */
function usageOf(value: unknown): Usage | undefined {
  const usage = fieldsOf(value)
  const read = countOf(usage?.['cacheRead']) ?? 0
  const written = countOf(usage?.['cacheWrite']) ?? 0
  const inputTokens = (countOf(usage?.['input']) ?? 0) + read + written
  if (inputTokens === 0) return undefined
  const outputTokens = countOf(usage?.['output']) ?? 0
  return { inputTokens, outputTokens, cacheReadTokens: read, cacheWriteTokens: written }
}

const finishes: ReadonlyMap<unknown, FinishReason> = new Map([
  ['stop', 'stop'],
  ['toolUse', 'tool-calls'],
  ['length', 'length'],
])

function finishOf(stopReason: unknown): FinishReason | undefined {
  return finishes.get(stopReason)
}

/** What a `toolResult` message gave the model. */
function toolOutput(message: Fields): ToolOutput {
  const failed = message['isError'] === true
  const { content } = message
  if (typeof content === 'string') return textOutput(content, failed)
  return outputOfPieces(objectsOf(content).flatMap(outputPart), failed, { pi: { isError: true } })
}

function outputPart(block: Fields): ToolOutputPart[] {
  if (block['type'] === 'image') {
    const data = nameOf(block['data'])
    const mediaType = nameOf(block['mimeType']) ?? 'image'
    return data ? [{ type: 'file', mediaType, data: { type: 'data', data } }] : []
  }
  const text = textOf(block['text'])
  return text === undefined ? [] : [{ type: 'text', text }]
}
