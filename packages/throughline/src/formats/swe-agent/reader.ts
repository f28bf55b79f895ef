import { assistantParts, toolOutput, userParts } from '../openai-chat/parts.ts'
import { by, call, rowFor, text } from '../conversation/parts.ts'
import { clockTime } from '../writing/written-fields.ts'
import {
  decodedInput,
  fieldsOf,
  listOf,
  nameOf,
  objectsOf,
  textOf,
  type Fields,
} from '../../json/fields.ts'
import { finishOf, usageOf } from '../../wires/openai-chat/wire.ts'
import {
  newSessionState,
  note,
  omit,
  pass,
  prune,
  readEach,
  recordReader,
  reply,
  result,
  type SessionState,
} from '../conversation/session-state.ts'
import { closeResults, giveEntries } from '../conversation/conversation.ts'
import { onlyText } from '../openai-chat/text-calls.ts'
import { recordsOf } from '../../log/client-records.ts'
import { ref } from '../../log/ref.ts'
import { userMessages } from '../conversation/user-messages.ts'
import type { AssistantPart } from '../../log/message.ts'
import type { FormatReader } from '../format.ts'
import type { Origin, Ref } from '../../log/entry.ts'

interface State extends SessionState {
  /** Whether a run was read: further runs in the file are separate sessions. */
  read: boolean
  /** Where the output at a position of the history stands. */
  results: Map<string, Ref>
  system: string[]
  /** Whether the task was added. */
  tasked: boolean
  /** How many commands were written as text so far. */
  actions: number
  /** The one among them that has no output yet. */
  waiting: string | undefined
}

export function sweAgentReader(): FormatReader {
  const results: State['results'] = new Map()
  const session = newSessionState((seq, draft) => {
    if (draft.kind !== 'message' || draft.origin !== 'tool') return
    recordsOf(draft).forEach((position, part) => results.set(position, ref(seq, part)))
  })
  const own = { read: false, results, system: [], tasked: false, actions: 0, waiting: undefined }
  return recordReader<State>({ ...session, ...own }, readRun)
}

function readRun(state: State, record: Fields): void {
  const history = historyOf(record)
  if (!history) return
  if (state.read) return omit(state, 'other-session')
  state.read = true
  noteRun(state, record)
  readEach(state, history, (_, message, position) => readMessage(state, message, String(position)))
  closeResults(state.conversation)
  note(state, { system: state.system.join('\n\n') })
  elideOutputs(state, record, history)
}

/** The messages of a run; `undefined` if the record isn't a run. */
export function historyOf(record: Fields): readonly unknown[] | undefined {
  const { messages, history, trajectory, trajectory_format: format } = record
  const isMini =
    nameOf(format)?.startsWith('mini-swe-agent') === true ||
    typeof fieldsOf(record['info'])?.['mini_version'] === 'string'
  if (isMini && Array.isArray(messages)) return messages
  if (Array.isArray(history) && Array.isArray(trajectory)) return history
  // If every attempt was rejected, none of them is listed with the others.
  const attempt = fieldsOf(listOf(record['attempts']).at(-1))
  return attempt && Array.isArray(attempt['trajectory']) ? listOf(attempt['history']) : undefined
}

/** Notes a run's own metadata. */
function noteRun(state: State, record: Fields): void {
  const config = fieldsOf(fieldsOf(record['info'])?.['config'])
  const agent = fieldsOf(fieldsOf(inText(record['replay_config']))?.['agent'])
  const first = fieldsOf(listOf(record['trajectory'])[0])
  const named =
    nameOf(fieldsOf(agent?.['model'])?.['name']) ??
    nameOf(fieldsOf(config?.['model'])?.['model_name'])
  note(state, {
    id: record['instance_id'],
    model: named !== undefined && noModels.has(named) ? undefined : named,
    directory:
      nameOf(fieldsOf(inText(first?.['state']))?.['working_dir']) ??
      fieldsOf(config?.['environment'])?.['cwd'],
  })
}

/** The names under which SWE-agent runs without a model. */
const noModels: ReadonlySet<string> = new Set([
  'replay',
  'human',
  'human_thought',
  'instant_empty_submit',
])

/** Some versions write objects as JSON text. */
function inText(value: unknown): unknown {
  return typeof value === 'string' ? decodedInput(value) : value
}

/**
 * Shows the outputs that SWE-agent itself omitted from its last request as the text that it put in
 * their place.
 */
function elideOutputs(state: State, record: Fields, history: readonly unknown[]): void {
  const step = fieldsOf(listOf(record['trajectory']).at(-1))
  const request = objectsOf(step?.['query'] ?? step?.['messages'])
  const replacements = request.flatMap((message, index) => {
    const place = state.results.get(String(index))
    const original = fieldsOf(history[index])
    if (!place || !original || original['role'] !== message['role']) return []
    const said = onlyText(message) ?? ''
    const elided = signs.some((sign) => said.includes(sign)) && said !== onlyText(original)
    return elided ? [{ how: 'pruned' as const, ref: place, text: said }] : []
  })
  prune(state, replacements, { time: { compacted: 0 } }, 0)
}

const signs = ['Old environment output: (', 'Outdated window with ']

/** `record`: the position in the history. */
function readMessage(state: State, message: Fields, record: string): void {
  state.at = clockTime(message['timestamp'] ?? fieldsOf(message['extra'])?.['timestamp']) ?? 0
  // The actions it shows were never done here.
  if (message['is_demo'] === true) return giveSaid(state, message, 'harness')
  const row = rowFor(messages, message['role'])
  if (row) row(state, message, record)
  else omit(state, 'unknown-record')
}

const messages: Readonly<Record<string, (state: State, message: Fields, record: string) => void>> =
  {
    system(state, message) {
      state.system.push(...[onlyText(message) || []].flat())
      pass(state)
    },
    assistant(state, message) {
      const response = fieldsOf(fieldsOf(message['extra'])?.['response'])
      const parts = replyParts(state, message)
      const said = {
        parts,
        model: nameOf(response?.['model']) ?? state.facts.model,
        usage: usageOf(response?.['usage']),
        finish: finishOf(fieldsOf(listOf(response?.['choices'])[0])?.['finish_reason']),
      }
      reply(state, said, 'empty')
    },
    // It says why the run ended.
    exit(state) {
      omit(state, 'unknown-record')
      pass(state)
    },
    tool(state, message, record) {
      const named = nameOf(listOf(message['tool_call_ids'])[0]) ?? nameOf(message['tool_call_id'])
      readOutput(state, message, named, record)
    },
    user(state, message, record) {
      if (state.waiting) return readOutput(state, message, state.waiting, record)
      giveSaid(state, message, state.tasked ? 'harness' : 'human')
      state.tasked = true
    },
  }

function giveSaid(state: State, message: Fields, origin: Origin): void {
  const parts = userParts(message['content']).map(({ part }) => part)
  if (parts.length === 0) return omit(state, 'empty')
  giveEntries(state.conversation, userMessages(by(origin, parts), state.at))
}

function replyParts(state: State, message: Fields): AssistantPart[] {
  state.waiting = undefined
  const parts = assistantParts(message)
  if (parts.some(({ type }) => type === 'tool-call')) return parts
  const said = onlyText(message) ?? ''
  const own = textOf(message['action'])
  const block = own
    ? { thought: textOf(message['thought']) ?? said, action: own }
    : shellBlock(said)
  if (!block) return parts
  state.waiting = `action_${++state.actions}`
  const { toolName, input } = textAction(block.action)
  return [
    ...parts.filter(({ type }) => type === 'reasoning'),
    ...(block.thought.trim() === '' ? [] : text(block.thought)),
    ...call(state.waiting, toolName, input),
  ]
}

function readOutput(state: State, message: Fields, call: string | undefined, record: string): void {
  state.waiting = undefined
  if (!call) return omit(state, 'result-without-call')
  result(state, { toolCallId: call, output: toolOutput(message['content']), record })
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
