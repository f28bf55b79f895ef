import { fieldsOf, nameOf, timeOf, type Fields } from '../fields.ts'
import { addResult, giveReply } from '../conversation.ts'
import { giveUsers, holds, settle } from '../asides.ts'
import { give, takeReady } from '../draft-queue.ts'
import { userMessages, type OriginPart } from '../user-messages.ts'
import { assistantParts } from './assistant-parts.ts'
import { giveCheckpoint, indexId } from './checkpoint.ts'
import { closeReply, fileUnit, newState, omit, type State } from './state.ts'
import { toolOutput } from './tool-output.ts'
import { startUnit, startUnseen, sameView, viewAt } from './tree.ts'
import { finishOf, usageOf } from './usage.ts'
import { bashText, branchText, contentParts } from './user-parts.ts'
import type { FormatReader } from '../format.ts'
import type { Metadata } from '../../log/entry.ts'

/** A fresh reader for one session file. */
export function piReader(): FormatReader {
  const state = newState()
  return {
    push(value) {
      const record = fieldsOf(value)
      if (record) readRecord(state, record)
      state.index++
      return takeReady(state.drafts)
    },
    end() {
      closeReply(state)
      return takeReady(state.drafts)
    },
    facts: () => ({
      ...state.facts,
      ...(Object.keys(state.omitted).length > 0 && { omitted: { ...state.omitted } }),
    }),
  }
}

function readRecord(state: State, record: Fields): void {
  const { type } = record
  if (type === 'session') return readHeader(state, record)
  if (typeof record['id'] !== 'string' && !flat.has(type)) return
  const id = nameOf(record['id']) ?? indexId(state.index)
  if (state.tree.unitOf.has(id)) return omit(state, 'duplicate')
  state.at = timeOf(record['timestamp']) ?? state.at
  goBack(state, record)
  readEntry(state, record)
  state.tree.unitOf.set(id, state.tree.newest)
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
  const model = nameOf(record['modelId'])
  if (id) state.facts.id ??= id
  if (directory) state.facts.directory ??= directory
  if (model) state.facts.model ??= model
}

/** If this entry follows an older one than the newest, the view goes back to that one first. */
function goBack(state: State, record: Fields): void {
  const { tree, drafts } = state
  const parent = record['parentId']
  const root = parent === null ? 0 : undefined
  const unit = typeof parent === 'string' ? tree.unitOf.get(parent) : root
  if (unit === undefined || unit === tree.newest) return
  if (!sameView(tree, unit, tree.newest)) {
    closeReply(state)
    give(drafts, { kind: 'rewind', at: state.at, to: viewAt(tree, unit) })
  }
  tree.newest = unit
}

function readEntry(state: State, record: Fields): void {
  const message = fieldsOf(record['message'])
  const id = nameOf(record['id'])
  switch (record['type']) {
    case 'message':
      return message ? readMessage(state, message, id) : readUnseen(state)
    case 'custom_message':
      return readUser(state, contentParts(record['content'], 'harness'), id)
    case 'branch_summary': {
      const summary = nameOf(record['summary'])
      return readUser(state, summary ? harnessText(branchText(summary)) : [], id)
    }
    case 'compaction':
      return giveCheckpoint(state, record)
    case 'model_change':
      noteModel(state, record['modelId'])
      return readUnseen(state)
    default:
      return readUnseen(state)
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
      return readUnseen(state)
  }
}

/** Where a message comes from; version 1 names its entries by their place alone. */
function sourceOf(id: string | undefined): Metadata | undefined {
  return id === undefined ? undefined : { source: { records: [id] } }
}

function harnessText(text: string): OriginPart[] {
  return [{ origin: 'harness', part: { type: 'text', text } }]
}

function readUnseen(state: State): void {
  startUnseen(state.tree)
}

function noteModel(state: State, value: unknown): void {
  const model = nameOf(value)
  if (model) state.facts.model = model
}

function readUser(state: State, parts: readonly OriginPart[], id: string | undefined): void {
  const drafts = userMessages(parts, state.at, sourceOf(id))
  if (drafts.length === 0 || holds(state.asides, drafts)) return readUnseen(state)
  closeReply(state)
  const before = state.drafts.given
  giveUsers(state.asides, drafts)
  fileUnit(state, before)
}

function readAssistant(state: State, message: Fields, id: string | undefined): void {
  // pi never shows the model a reply that failed or was stopped.
  const stopReason = message['stopReason']
  if (stopReason === 'error' || stopReason === 'aborted') {
    omit(state, 'unfinished')
    return readUnseen(state)
  }
  closeReply(state)
  noteModel(state, message['model'])
  const before = state.drafts.given
  const given = giveReply(state.conversation, {
    at: state.at,
    parts: assistantParts(message),
    model: nameOf(message['model']),
    usage: usageOf(message['usage']),
    finish: finishOf(stopReason),
    metadata: sourceOf(id),
  })
  if (given) state.reply = { unit: startUnit(state.tree), first: before + 1 }
  else readUnseen(state)
}

function readResult(state: State, message: Fields, record: string | undefined): void {
  const toolCallId = nameOf(message['toolCallId'])
  if (!toolCallId) return readUnseen(state)
  const toolName = nameOf(message['toolName'])
  const result = { at: state.at, toolCallId, toolName, output: toolOutput(message), record }
  const { conversation } = state
  const awaited = conversation.open.has(toolCallId)
  if (!awaited) closeReply(state)
  const before = state.drafts.given
  addResult(conversation, result)
  if (!awaited) return fileUnit(state, before)
  if (conversation.open.size === 0) settle(state.asides)
}
