import { addResult, closeResults, giveEntries, giveReply } from '../conversation/conversation.ts'
import { clockTime } from '../writing/clock-time.ts'
import { nameOf, type Fields } from '../../json/fields.ts'
import { userEntries } from '../conversation/user-entries.ts'
import { userMessages } from '../conversation/user-messages.ts'
import { assistantParts, functionCallId } from './assistant-parts.ts'
import { onlyText, textCall, textResult, type TextCall } from './text-calls.ts'
import { toolOutput } from './tool-output.ts'
import { userParts } from './user-parts.ts'
import type { AnswerDetails, MessageReader, MessageSink } from '../api-reader.ts'
import type { AssistantPart } from '../../log/message.ts'

interface State {
  sink: MessageSink
  /** Whether anything but the system prompt was read. */
  begun: boolean
  /** Calls without an id of their own so far. */
  functions: number
  /** Calls that were written as text so far. */
  written: number
  /** A text that may be a call: only a result of it shows that it is. */
  held: Held | undefined
}

interface Held {
  message: Fields
  call: TextCall
  details: AnswerDetails
}

/** Reads messages of Chat Completions. */
export function messageReader(sink: MessageSink): MessageReader {
  const state: State = { sink, begun: false, functions: 0, written: 0, held: undefined }
  return {
    read: (message, details) => {
      if (!roles.has(message['role'])) return sink.omit('unknown-record')
      const { held } = state
      state.held = undefined
      if (held && giveWritten(state, held, message)) return
      if (held) giveMessage(state, held.message, held.details)
      readMessage(state, message, details)
    },
    end: () => {
      const { held } = state
      state.held = undefined
      if (held && state.written > 0) giveCall(state, held)
      else if (held) giveMessage(state, held.message, held.details)
      closeResults(sink.conversation)
    },
  }
}

const roles: ReadonlySet<unknown> = new Set([
  'system',
  'developer',
  'user',
  'assistant',
  'tool',
  'function',
])

function readMessage(state: State, message: Fields, details: AnswerDetails): void {
  switch (message['role']) {
    case 'system':
    case 'developer':
      return readSystem(state, message)
    case 'user':
      return readUser(state, message)
    case 'assistant':
      return readAssistant(state, message, details)
    case 'tool':
      return readTool(state, message, nameOf(message['tool_call_id']))
    case 'function':
      return readTool(state, message, functionCallId(state.functions))
  }
}

/** What stands before all else is the system prompt; what comes later, the harness says. */
function readSystem({ sink, begun }: State, message: Fields): void {
  const parts = userParts(message['content'])
  const texts = parts.flatMap(({ part }) => (part.type === 'text' ? [part.text] : []))
  if (!begun) return sink.addSystem(texts.join('\n'))
  if (parts.length === 0) return sink.omit('empty')
  const said = parts.map(({ part }) => ({ origin: 'harness' as const, part }))
  const metadata = { source: { role: message['role'] } }
  giveEntries(sink.conversation, userMessages(said, timeIn(message), metadata))
}

function readUser(state: State, message: Fields): void {
  const { sink } = state
  state.begun = true
  const name = nameOf(message['name'])
  const metadata = name && { source: { name } }
  const entries = userEntries(userParts(message['content']), timeIn(message), metadata || undefined)
  if (entries.length === 0) return sink.omit('empty')
  giveEntries(sink.conversation, entries)
}

function readAssistant(state: State, message: Fields, details: AnswerDetails): void {
  state.begun = true
  const called = Array.isArray(message['tool_calls']) && message['tool_calls'].length > 0
  const text = called ? undefined : onlyText(message)
  const call = text === undefined ? undefined : textCall(text)
  if (call) state.held = { message, call, details }
  else giveMessage(state, message, details)
}

function giveMessage(state: State, message: Fields, details: AnswerDetails): void {
  const parts = assistantParts(message, state.functions + 1)
  if (message['function_call']) state.functions++
  giveParts(state, parts, message, details)
}

function giveParts(
  { sink }: State,
  parts: readonly AssistantPart[],
  message: Fields,
  { at, id, model, usage, finish }: AnswerDetails,
): void {
  const metadata = id === undefined ? undefined : { source: { message: id } }
  const reply = { at: at ?? timeIn(message), parts, model, usage, finish, metadata }
  if (!giveReply(sink.conversation, reply)) sink.omit('empty')
}

function readTool(state: State, message: Fields, toolCallId: string | undefined): void {
  state.begun = true
  if (!toolCallId) return state.sink.omit('result-without-call')
  const output = toolOutput(message['content'])
  const toolName = nameOf(message['name'])
  addResult(state.sink.conversation, { at: timeIn(message), toolCallId, output, toolName })
}

/** Gives a call and its result that were written as texts; says no if this is no result of it. */
function giveWritten(state: State, held: Held, message: Fields): boolean {
  const text = message['role'] === 'user' ? onlyText(message) : undefined
  const result = text === undefined ? undefined : textResult(text, held.call.name)
  if (result === undefined) return false
  const toolCallId = giveCall(state, held)
  const output = { type: 'text' as const, value: result }
  addResult(state.sink.conversation, { at: timeIn(message), toolCallId, output })
  return true
}

/** The ids are those by which OpenHands itself numbers such calls. */
function giveCall(state: State, { call, message, details }: Held): string {
  const toolCallId = `toolu_${String(++state.written).padStart(2, '0')}`
  const { text, name: toolName, input } = call
  const said: AssistantPart[] = text === '' ? [] : [{ type: 'text', text }]
  const parts = [...said, { type: 'tool-call' as const, toolCallId, toolName, input }]
  giveParts(state, parts, message, details)
  return toolCallId
}

function timeIn(message: Fields): number {
  return clockTime(message['timestamp'] ?? message['created_at'] ?? message['createdAt']) ?? 0
}
