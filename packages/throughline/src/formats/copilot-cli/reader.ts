import {
  by,
  call,
  media,
  outputMedia,
  reasoning,
  rowFor,
  sealed,
  sourceOf,
  text,
  textOutput,
} from '../conversation/parts.ts'
import { closeResults } from '../conversation/conversation.ts'
import {
  compact,
  isMessage,
  newSessionState,
  note,
  omit,
  pass,
  recordReader,
  reply,
  result,
  rewind,
  sayInTurn,
  tailOf,
  type SessionState,
} from '../conversation/session-state.ts'
import {
  fieldsOf,
  jsonOf,
  nameOf,
  objectsOf,
  textOf,
  timeOf,
  type Fields,
} from '../../json/fields.ts'
import { madeParts, saidParts, type OriginPart } from '../conversation/user-messages.ts'
import type { AssistantPart, ToolOutput, UserPart } from '../../log/message.ts'
import type { FormatReader } from '../format.ts'
import type { Seq } from '../../log/entry.ts'

/** What is known while events are read. */
interface State extends SessionState {
  /** What the human said, oldest first: a compaction keeps it. */
  humans: Seq[]
  /** By a user's event: the newest entry before it. */
  before: Map<string, Seq>
  /** The newest reply. */
  reply: Seq
  /** The newest entry when the compaction began: the conversation continues in the meantime. */
  compacting: Seq | undefined
}

/** A new reader for one file of events. */
export function copilotCliReader(): FormatReader {
  const humans: Seq[] = []
  const session = newSessionState((seq, draft) => {
    if (draft.kind === 'message' && draft.origin === 'human') humans.push(seq)
  })
  const state: State = { ...session, humans, before: new Map(), reply: 0, compacting: undefined }
  return recordReader(state, readEvent, undefined, holdsSpeech)
}

/** By its type, or by what only events of the conversation have next to their text. */
function holdsSpeech(type: string, event: Fields): boolean {
  if (spoken.has(type) || type === 'session.compaction_complete' || isMessage(event)) return true
  const { content, result, toolCallId, summaryContent, ...others } = fieldsOf(event['data']) ?? {}
  if (typeof content === 'string') return beside.some((name) => others[name] !== undefined)
  return (toolCallId && fieldsOf(result)?.['content']) !== undefined || summaryContent !== undefined
}

const beside = ['transformedContent', 'attachments', 'toolRequests', 'interactionId']

type Reads = (state: State, data: Fields, id: unknown) => void

function readEvent(state: State, event: Fields): void {
  const { type } = event
  const data = fieldsOf(event['data'])
  if (!data) return
  // A sub-agent's messages aren't part of this conversation: its answer is a result.
  if (nameOf(event['agentId']) ?? nameOf(data['parentToolCallId'])) {
    return spoken.has(type) ? omit(state, 'sidechain') : pass(state)
  }
  state.at = timeOf(event['timestamp']) ?? state.at
  rowFor(events, type)?.(state, data, event['id'])
}

const spoken: ReadonlySet<unknown> = new Set([
  'user.message',
  'assistant.message',
  'tool.execution_complete',
])

const events: Readonly<Record<string, Reads>> = {
  'session.start': readStart,
  'session.resume': readStart,
  'session.model_change': (state, { newModel: model }) => note(state, { model }),
  'system.message'(state, { content: system }) {
    note(state, { system })
    pass(state)
  },
  'user.message': (state, data, id) => readUser(state, userParts(data), id),
  'system.notification': (state, { content }, id) =>
    readUser(state, by('harness', text(content)), id),
  'assistant.message': readAssistant,
  'tool.execution_start': noteTool,
  'tool.user_requested': noteTool,
  'tool.execution_complete': (state, data, id) =>
    result(state, { toolCallId: data['toolCallId'], output: toolOutput(data), record: nameOf(id) }),
  'session.compaction_start': (state) => void (state.compacting = newestWhole(state)),
  'session.compaction_complete': readCompaction,
  'session.snapshot_rewind': (state, { upToEventId }) =>
    rewindTo(state, state.before.get(nameOf(upToEventId) ?? '')),
  'session.context_cleared': (state) => rewindTo(state, 0),
  'session.usage_info': (state, { tokenLimit: window }) => note(state, { window }),
  'session.truncation': (state, { tokenLimit: window }) => note(state, { window }),
}

function readStart(state: State, { sessionId: id, context, selectedModel: model }: Fields): void {
  note(state, { id, directory: fieldsOf(context)?.['cwd'], model })
}

/** A call that the human made isn't in any message of the model. */
function noteTool({ conversation: { tools } }: State, data: Fields): void {
  const [call, name] = [nameOf(data['toolCallId']), nameOf(data['toolName'])]
  if (call && name && !tools.has(call)) tools.set(call, name)
}

function readUser(state: State, parts: readonly OriginPart[], id: unknown): void {
  const human = parts.some(({ origin }) => origin === 'human')
  if (human) closeResults(state.conversation)
  const before = state.drafts.given
  const name = nameOf(id)
  if (sayInTurn(state, parts, sourceOf(id)) === 'said' && name) state.before.set(name, before)
}

function readAssistant(state: State, data: Fields, id: unknown): void {
  const { content, reasoningText, reasoningOpaque, encryptedContent, model } = data
  note(state, { model })
  const parts = [
    ...reasoning(reasoningText, sealed('copilot', { reasoningOpaque, encryptedContent })),
    ...text(content),
    ...objectsOf(data['toolRequests']).flatMap(toolCall),
  ]
  if (reply(state, { parts, model: state.facts.model, metadata: sourceOf(id) })) {
    state.reply = state.drafts.given
  }
}

function toolCall({ toolCallId, name, arguments: input, type }: Fields): AssistantPart[] {
  const plain = type === 'function' || typeof type !== 'string'
  return call(toolCallId, name, input, plain ? {} : { providerOptions: { copilot: { type } } })
}

/** The newest entry after which no result is missing: a step is never cut in two. */
function newestWhole({ conversation, drafts, reply: newest }: State): Seq {
  if (conversation.open.size > 0) return newest - 1
  closeResults(conversation)
  return drafts.given
}

/**
 * Adds a successful compaction. Copilot compacts while the conversation continues: messages since
 * its start stay, and so do the human's words from before.
 */
function readCompaction(state: State, data: Fields, id: unknown): void {
  const base = state.compacting ?? newestWhole(state)
  closeResults(state.conversation)
  state.compacting = undefined
  if (data['success'] === false) return
  const trigger = nameOf(data['trigger'])
  const end = state.humans.findLastIndex((seq) => seq <= base) + 1
  compact(state, {
    by: 'copilot-cli',
    label: 'Copilot',
    summary: data['summaryContent'],
    base,
    tail: tailOf(state.humans.slice(Math.max(0, end - longestTail), end)),
    preTokens: data['preCompactionTokens'],
    id,
    metadata: { ...(trigger && { trigger }) },
  })
}

const longestTail = 500

/** The human went back to where the newest entry was this one. */
function rewindTo(state: State, to: Seq | undefined): void {
  closeResults(state.conversation)
  if (to === undefined || to >= state.drafts.given) return
  while ((state.humans.at(-1) ?? 0) > to) state.humans.pop()
  rewind(state, to)
}

/** What a finished call gave the model; its longer form is only for the screen. */
function toolOutput(data: Fields): ToolOutput {
  const failed = data['success'] === false
  const shown = fieldsOf(data['result'])
  const said = textOf(shown?.['content']) ?? textOf(fieldsOf(data['error'])?.['message'])
  const value = said ?? (failed ? (jsonOf(data['error']) ?? '') : '')
  // What the model was shown; older versions, which didn't record it, only have the tool's own
  // blocks.
  const blocks = objectsOf(shown?.['binaryResultsForLlm'] ?? shown?.['contents'])
  const files = blocks.flatMap(({ data: from, mimeType: mediaType }) =>
    nameOf(mediaType) ? outputMedia({ from, mediaType }) : [],
  )
  if (files.length === 0) return textOutput(value, failed)
  return {
    type: 'content',
    value: [{ type: 'text', text: value }, ...files],
    ...(failed && { providerOptions: { copilot: { failed: true } } }),
  }
}

/**
 * A user's event as the model saw it: what the human typed is inside the sent text, between what
 * Copilot added around it. Events with a source of their own come entirely from Copilot.
 */
function userParts(data: Fields): OriginPart[] {
  const typed = textOf(data['content']) ?? ''
  const sent = nameOf(data['transformedContent']) ?? typed
  const human = (nameOf(data['source']) ?? 'user') === 'user'
  const attached = objectsOf(data['attachments']).flatMap(blob)
  return [
    ...(human ? apart(sent, typed) : harness(sent)),
    ...by(human ? 'human' : 'harness', attached),
  ]
}

/**
 * What was typed stands in what was sent, among what Copilot added. Where it does not, Copilot has
 * sent something else in its place.
 */
function apart(sent: string, typed: string): OriginPart[] {
  if (typed.trim() === '') return harness(sent)
  const said = saidParts(typed)
  const start = sent.indexOf(typed)
  if (start < 0) return [...harness(sent), ...said]
  return [...harness(sent.slice(0, start)), ...said, ...harness(sent.slice(start + typed.length))]
}

function harness(said: string): OriginPart[] {
  return said.trim() === '' ? [] : madeParts(said)
}

/** Data that is in the session itself; files are named in the text. */
function blob({
  type,
  data: from,
  mimeType: mediaType,
  displayName: filename,
}: Fields): UserPart[] {
  return type === 'blob' && nameOf(mediaType) ? media({ from, mediaType, filename }) : []
}
