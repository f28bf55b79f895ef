import { omit } from '../omitted.ts'
import { textOutput } from '../conversation/tool-output.ts'
import { recordReader } from '../conversation/session-state.ts'
import {
  countOf,
  fieldsOf,
  nameOf,
  timeOf,
  jsonOf,
  objectsOf,
  textOf,
  boundedValue,
} from '../../json/fields.ts'
import { addResult, giveReply } from '../conversation/conversation.ts'
import { giveUsers, holds, settle } from '../conversation/asides.ts'
import { give } from '../reading/grown-log.ts'
import { userMessages } from '../conversation/user-messages.ts'
import { newState, userParts } from './state.ts'
import type { Fields } from '../../json/fields.ts'
import type { OriginPart } from '../conversation/user-messages.ts'
import type { State } from './state.ts'
import type { FormatReader } from '../format.ts'
import type { Seq, TailItem } from '../../log/entry.ts'
import type { ToolOutput, ToolOutputPart, AssistantPart } from '../../log/message.ts'

const noSummary = 'Copilot compacted the session here. Its file contains no summary.'

/**
 * Adds a successful compaction. Copilot compacts while the conversation continues: messages since
 * its start stay, and so do the human's words from before.
 */
function giveCheckpoint(state: State, data: Fields, id: string | undefined): void {
  const { drafts, at } = state
  const base = state.compacting ?? newestWhole(state)
  settle(state.asides)
  state.compacting = undefined
  if (data['success'] === false) return
  const summary = textOf(data['summaryContent']) ?? ''
  const preTokens = countOf(data['preCompactionTokens'])
  give(drafts, {
    kind: 'checkpoint',
    at,
    base,
    summary: summary.trim() === '' ? noSummary : summary,
    summarizer: 'copilot-cli',
    tail: humanTail(state, base),
    continuation: null,
    metadata: {
      ...(preTokens !== undefined && { preTokens }),
      ...(nameOf(data['trigger']) && { trigger: data['trigger'] }),
      ...(id && { source: { records: [id] } }),
    },
  })
}

/** The newest entry after which no result is missing: a step is never cut in two. */
function newestWhole({ asides, conversation, drafts, reply }: State): Seq {
  if (conversation.open.size > 0) return reply - 1
  settle(asides)
  return drafts.given
}

const longestTail = 500

function humanTail({ humans }: State, base: number): TailItem[] {
  const first = humans.findLastIndex((seq) => seq <= base)
  return humans
    .slice(Math.max(0, first + 1 - longestTail), first + 1)
    .map((seq) => ({ type: 'entry', seq }))
}

/** A new reader for one file of events. */
export function copilotCliReader(): FormatReader {
  return recordReader(newState(), readEvent, ({ asides }) => settle(asides))
}

const spoken: ReadonlySet<unknown> = new Set([
  'user.message',
  'assistant.message',
  'tool.execution_complete',
])

function readEvent(state: State, event: Fields): void {
  const { type } = event
  const data = fieldsOf(event['data'])
  if (!data) return
  // A sub-agent's messages aren't part of this conversation: its answer is a result.
  if (nameOf(event['agentId']) ?? nameOf(data['parentToolCallId'])) {
    if (spoken.has(type)) omit(state, 'sidechain')
    return
  }
  state.at = timeOf(event['timestamp']) ?? state.at
  const id = nameOf(event['id'])
  switch (type) {
    case 'session.start':
    case 'session.resume':
      return readStart(state, data)
    case 'session.model_change':
      return noteModel(state, data['newModel'])
    case 'system.message':
      return readSystem(state, data)
    case 'user.message':
      return readUser(state, userParts(data), id)
    case 'system.notification':
      return readNotification(state, data, id)
    case 'assistant.message':
      return readAssistant(state, data, id)
    case 'tool.execution_start':
    case 'tool.user_requested':
      return noteTool(state, data)
    case 'tool.execution_complete':
      return readResult(state, data, id)
    case 'session.compaction_start':
      state.compacting = newestWhole(state)
      return
    case 'session.compaction_complete':
      return giveCheckpoint(state, data, id)
    case 'session.snapshot_rewind':
      return rewindTo(state, state.before.get(nameOf(data['upToEventId']) ?? ''))
    case 'session.context_cleared':
      return rewindTo(state, 0)
    case 'session.usage_info':
    case 'session.truncation':
      return noteWindow(state, data)
  }
}

function readStart(state: State, data: Fields): void {
  const id = nameOf(data['sessionId'])
  const directory = nameOf(fieldsOf(data['context'])?.['cwd'])
  if (id) state.facts.id = id
  if (directory) state.facts.directory = directory
  noteModel(state, data['selectedModel'])
}

function readSystem(state: State, data: Fields): void {
  const system = nameOf(data['content'])
  if (system) state.facts.system = system
}

function noteModel(state: State, value: unknown): void {
  const model = nameOf(value)
  if (model) state.facts.model = model
}

function noteWindow(state: State, data: Fields): void {
  const window = countOf(data['tokenLimit'])
  if (window) state.facts.window = window
}

/** A call that the human made isn't in any message of the model. */
function noteTool({ conversation }: State, data: Fields): void {
  const call = nameOf(data['toolCallId'])
  const name = nameOf(data['toolName'])
  if (call && name && !conversation.tools.has(call)) conversation.tools.set(call, name)
}

function readUser(state: State, parts: readonly OriginPart[], id: string | undefined): void {
  const metadata = id ? { source: { records: [id] } } : undefined
  const drafts = userMessages(parts, state.at, metadata)
  if (drafts.length === 0 || holds(state.asides, drafts)) return
  settle(state.asides)
  if (id) state.before.set(id, state.drafts.given)
  giveUsers(state.asides, drafts)
}

function readNotification(state: State, data: Fields, id: string | undefined): void {
  const text = nameOf(data['content'])
  if (text) readUser(state, [{ origin: 'harness', part: { type: 'text', text } }], id)
}

function readAssistant(state: State, data: Fields, id: string | undefined): void {
  settle(state.asides)
  noteModel(state, data['model'])
  const given = giveReply(state.conversation, {
    at: state.at,
    parts: assistantParts(data),
    model: state.facts.model,
    metadata: id ? { source: { records: [id] } } : undefined,
  })
  if (given) state.reply = state.drafts.given
  else omit(state, 'unfinished')
}

function readResult(state: State, data: Fields, record: string | undefined): void {
  const toolCallId = nameOf(data['toolCallId'])
  if (!toolCallId) return
  addResult(state.conversation, { at: state.at, toolCallId, output: toolOutput(data), record })
  if (state.conversation.open.size === 0) settle(state.asides)
}

/** The human went back to where the newest entry was this one. */
function rewindTo(state: State, to: Seq | undefined): void {
  settle(state.asides)
  if (to === undefined || to >= state.drafts.given) return
  while ((state.humans.at(-1) ?? 0) > to) state.humans.pop()
  give(state.drafts, { kind: 'rewind', at: state.at, to })
}

/** What a finished call gave the model; its longer form is only for the screen. */
function toolOutput(data: Fields): ToolOutput {
  const failed = data['success'] === false
  const result = fieldsOf(data['result'])
  const error = fieldsOf(data['error'])
  const said = textOf(result?.['content']) ?? textOf(error?.['message'])
  const value = said ?? (failed ? (jsonOf(data['error']) ?? '') : '')
  // What the model was shown; older versions, which didn't record it, only have the tool's own
  // blocks.
  const shown = result?.['binaryResultsForLlm'] ?? result?.['contents']
  const media = objectsOf(shown).flatMap(mediaPart)
  if (media.length === 0) return textOutput(value, failed)
  return {
    type: 'content',
    value: [{ type: 'text', text: value }, ...media],
    ...(failed && { providerOptions: { copilot: { failed: true } } }),
  }
}

function mediaPart(block: Fields): ToolOutputPart[] {
  const data = nameOf(block['data'])
  const mediaType = nameOf(block['mimeType'])
  if (!data || !mediaType) return []
  return [{ type: 'file', mediaType, data: { type: 'data', data } }]
}

/** The content of a model's message: its reasoning, its text and its calls. */
function assistantParts(data: Fields): AssistantPart[] {
  const text = nameOf(data['content'])
  return [
    ...reasoning(data),
    ...(text ? [{ type: 'text' as const, text }] : []),
    ...objectsOf(data['toolRequests']).flatMap(toolCall),
  ]
}

/** Reasoning that can neither be read nor sent again is left out. */
function reasoning(data: Fields): AssistantPart[] {
  const text = textOf(data['reasoningText']) ?? ''
  const reasoningOpaque = nameOf(data['reasoningOpaque'])
  const encryptedContent = nameOf(data['encryptedContent'])
  const copilot = {
    ...(reasoningOpaque && { reasoningOpaque }),
    ...(encryptedContent && { encryptedContent }),
  }
  const sealed = Object.keys(copilot).length > 0
  if (text === '' && !sealed) return []
  return [{ type: 'reasoning', text, ...(sealed && { providerOptions: { copilot } }) }]
}

function toolCall(request: Fields): AssistantPart[] {
  const toolCallId = nameOf(request['toolCallId'])
  const toolName = nameOf(request['name'])
  if (!toolCallId || !toolName) return []
  const input = boundedValue(request['arguments'] ?? {})
  const { type } = request
  const plain = type === 'function' || typeof type !== 'string'
  const part = { type: 'tool-call' as const, toolCallId, toolName, input }
  return [{ ...part, ...(!plain && { providerOptions: { copilot: { type } } }) }]
}
