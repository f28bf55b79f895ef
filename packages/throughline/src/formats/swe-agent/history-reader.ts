import { addResult, closeResults, giveEntries, giveReply } from '../conversation/conversation.ts'
import { clockTime } from '../writing/written-fields.ts'
import { fieldsOf, listOf, nameOf, textOf, type Fields } from '../../json/fields.ts'
import { assistantParts, toolOutput, userParts } from '../openai-chat/parts.ts'
import { onlyText } from '../openai-chat/text-calls.ts'
import { finishOf, usageOf } from '../../wires/openai-chat/wire.ts'
import { userMessages } from '../conversation/user-messages.ts'
import type { MessageSink } from '../api-messages.ts'
import type { Origin } from '../../log/entry.ts'
import type { AssistantPart } from '../../log/message.ts'

/** Reads the messages of a run, each with its position in the history. */
export interface HistoryReader {
  read: (message: Fields, position: number) => void
  end: () => void
}

interface State {
  sink: MessageSink
  /** The model of the run, where a message does not name its own. */
  model: string | undefined
  /** Whether the task was added. */
  tasked: boolean
  /** How many commands were written as text so far. */
  actions: number
  /** The one among them that has no output yet. */
  waiting: string | undefined
}

export function historyReader(sink: MessageSink, model: string | undefined): HistoryReader {
  const state: State = { sink, model, tasked: false, actions: 0, waiting: undefined }
  return {
    read: (message, position) => readMessage(state, message, String(position)),
    end: () => closeResults(sink.conversation),
  }
}

function readMessage(state: State, message: Fields, record: string): void {
  // The actions it shows were never done here.
  if (message['is_demo'] === true) return giveSaid(state, message, 'harness')
  switch (message['role']) {
    case 'system': {
      const text = onlyText(message)
      if (text) state.sink.addSystem(text)
      return
    }
    case 'assistant':
      return readAssistant(state, message)
    case 'tool': {
      const named = nameOf(listOf(message['tool_call_ids'])[0]) ?? nameOf(message['tool_call_id'])
      return readOutput(state, message, named, record)
    }
    case 'user':
      if (state.waiting) return readOutput(state, message, state.waiting, record)
      giveSaid(state, message, state.tasked ? 'harness' : 'human')
      state.tasked = true
      return
    default:
      return state.sink.omit('unknown-record')
  }
}

function giveSaid(state: State, message: Fields, origin: Origin): void {
  const parts = userParts(message['content']).map(({ part }) => ({ origin, part }))
  if (parts.length === 0) return state.sink.omit('empty')
  giveEntries(state.sink.conversation, userMessages(parts, timeIn(message)))
}

function readAssistant(state: State, message: Fields): void {
  const response = fieldsOf(fieldsOf(message['extra'])?.['response'])
  const model = nameOf(response?.['model']) ?? state.model
  const choice = fieldsOf(listOf(response?.['choices'])[0])
  const given = giveReply(state.sink.conversation, {
    at: timeIn(message),
    parts: partsOf(state, message),
    model,
    usage: usageOf(response?.['usage']),
    finish: finishOf(choice?.['finish_reason']),
  })
  if (!given) state.sink.omit('empty')
}

function partsOf(state: State, message: Fields): AssistantPart[] {
  state.waiting = undefined
  const parts = assistantParts(message)
  if (parts.some(({ type }) => type === 'tool-call')) return parts
  const said = onlyText(message) ?? ''
  const own = textOf(message['action'])
  const block = own
    ? { thought: textOf(message['thought']) ?? said, action: own }
    : shellBlock(said)
  if (!block) return parts
  const toolCallId = `action_${++state.actions}`
  state.waiting = toolCallId
  const reasoning = parts.filter(({ type }) => type === 'reasoning')
  const text = block.thought.trim() === '' ? [] : [{ type: 'text' as const, text: block.thought }]
  return [...reasoning, ...text, { type: 'tool-call', toolCallId, ...textAction(block.action) }]
}

function readOutput(
  state: State,
  message: Fields,
  toolCallId: string | undefined,
  record: string,
): void {
  state.waiting = undefined
  if (!toolCallId) return state.sink.omit('result-without-call')
  const output = toolOutput(message['content'])
  addResult(state.sink.conversation, { at: timeIn(message), toolCallId, output, record })
}

function timeIn(message: Fields): number {
  return clockTime(message['timestamp'] ?? fieldsOf(message['extra'])?.['timestamp']) ?? 0
}

/** A command that a model without tools wrote into its text, as a tool call. */
interface TextAction {
  toolName: string
  input: Record<string, string>
}

/** SWE-agent's own commands are tools; all others belong to the shell. */
export function textAction(action: string): TextAction {
  const [toolName = '', first = '', second = ''] = wordsOf(action.slice(0, 1000))
  switch (toolName) {
    case 'open':
      return { toolName, input: { path: first, ...(second && { line_number: second }) } }
    case 'create':
      return { toolName, input: { filename: first } }
    case 'str_replace_editor':
      return { toolName, input: { command: first, path: second, action } }
    case 'edit':
    case 'insert':
      return { toolName, input: { text: action.trimStart().slice(toolName.length).trimStart() } }
    default:
      return { toolName: ownTools.has(toolName) ? toolName : 'bash', input: { command: action } }
  }
}

const ownTools: ReadonlySet<string> = new Set([
  'goto',
  'scroll_up',
  'scroll_down',
  'find_file',
  'search_dir',
  'search_file',
  'submit',
  'exit_cost',
  'exit_context',
  'exit_forfeit',
])

function wordsOf(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  )
}

const opening = '```bash'
const closing = '\n```'

/** mini-swe-agent's form: one block of shell in the text. */
export function shellBlock(text: string): { thought: string; action: string } | undefined {
  const start = text.indexOf(opening)
  const from = start < 0 ? -1 : text.indexOf('\n', start)
  const end = from < 0 ? -1 : text.indexOf(closing, from)
  if (end < 0 || text.slice(start + opening.length, from).trim() !== '') return undefined
  const behind = text.slice(end + closing.length).trim()
  const thought = [text.slice(0, start).trimEnd(), behind]
    .filter((part) => part !== '')
    .join('\n\n')
  return { thought, action: text.slice(from + 1, end) }
}
