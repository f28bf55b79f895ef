import {
  blocksIn,
  call,
  media,
  reasoning,
  rowFor,
  saidBy,
  saidByType,
  text,
  textOutput,
  usage,
  type Rows,
} from '../conversation/parts.ts'
import {
  compact,
  newSessionState,
  note,
  noteFirst,
  omit,
  pass,
  readEach,
  recordReader,
  reply,
  result,
  say,
  type SessionState,
} from '../conversation/session-state.ts'
import {
  decodedInput,
  fieldsOf,
  listOf,
  nameOf,
  objectsOf,
  textOf,
  type Fields,
} from '../../json/fields.ts'
import { madeParts } from '../conversation/user-messages.ts'
import type { AssistantPart, UserPart } from '../../log/message.ts'
import type { FormatReader } from '../format.ts'

interface State extends SessionState {
  /** Thoughts that Continue keeps as a message before their reply. */
  thoughts: AssistantPart[]
  /** Nobody has said anything since the newest summary. */
  resumed: boolean
}

export function cnReader(): FormatReader {
  return recordReader<State>({ ...newSessionState(), thoughts: [], resumed: false }, readSession)
}

function readSession(state: State, record: Fields): void {
  const title = nameOf(record['title'])
  const directory = nameOf(record['workspaceDirectory'])?.replace(/^file:\/\//, '')
  const named = title === 'Untitled Session' || title === 'New Session' ? {} : { title }
  noteFirst(state, { id: record['sessionId'], ...named, directory })
  readEach(state, listOf(record['history']), readItem)
}

function readItem(state: State, item: Fields): void {
  const message = fieldsOf(item['message'])
  if (!message) return omit(state, 'damaged')
  const summary = nameOf(item['conversationSummary'])
  // The command puts the summary in the place of what it sums up, the extension behind it.
  if (summary === undefined || summary !== message['content']) {
    rowFor(messages, message['role'])?.(state, message, item)
  }
  if (summary === undefined) return
  compact(state, { by: 'cn', label: 'Continue', summary })
  state.resumed = true
}

const messages: Readonly<Record<string, (state: State, message: Fields, item: Fields) => void>> = {
  user: readUser,
  assistant: readReply,
  thinking(state, { content }) {
    const thoughts = reasoning(nameOf(content))
    state.thoughts.push(...thoughts)
    if (thoughts.length > 0) pass(state)
  },
  system(state, { content: system }) {
    note(state, { system })
    pass(state)
  },
}

function readUser(state: State, { content }: Fields, { contextItems, throughline }: Fields): void {
  const plain = typeof content === 'string'
  // What Continue itself says after it has compacted in the middle of a task.
  const goesOn = state.resumed && content === 'continue'
  const made = fieldsOf(throughline)?.['origin'] === 'harness' || goesOn
  state.resumed = false
  const said = saidBy(made, saidByType(userBlocks, blocksIn(content)))
  // A file that goes along, in the words that Continue gives to the model.
  const files = (plain ? objectsOf(contextItems) : []).flatMap((item) => {
    const words = textOf(item['content'])
    if (words === undefined) return []
    return madeParts(`<context name="${textOf(item['name'])}">\n${words}\n</context>\n\n`)
  })
  say(state, [...files, ...said])
}

const userBlocks: Rows<Fields, UserPart[]> = {
  text: (block) => text(block['text']),
  imageUrl: ({ imageUrl }) => media({ from: fieldsOf(imageUrl)?.['url'] }),
}

function readReply(state: State, message: Fields, item: Fields): void {
  const { usage: counts, content, toolCalls } = message
  const counted = fieldsOf(counts) ?? {}
  note(state, { model: counted['model'] })
  const states = objectsOf(item['toolCallStates'])
  const parts = [
    ...state.thoughts.splice(0),
    ...reasoning(nameOf(fieldsOf(item['reasoning'])?.['text'])),
    ...blocksIn(content).flatMap((block) => text(block['text'])),
    ...objectsOf(toolCalls).flatMap((called) => callPart(called, states)),
  ]
  const used = usage({
    input: [counted['prompt_tokens']],
    output: [counted['completion_tokens']],
    cacheRead: fieldsOf(counted['prompt_tokens_details'])?.['cached_tokens'],
  })
  if (!reply(state, { parts, model: state.facts.model, usage: used })) return
  for (const called of states) giveResult(state, called)
}

function callPart({ id, function: called }: Fields, states: readonly Fields[]): AssistantPart[] {
  const { name, arguments: given } = fieldsOf(called) ?? {}
  const parsed = states.find((one) => one['toolCallId'] === id)?.['parsedArgs']
  return call(id, name, parsed ?? decodedInput(given))
}

/** Of a call that is neither done nor given up there is no result yet. */
function giveResult(state: State, { toolCallId, status, output }: Fields): void {
  const blocks = objectsOf(output)
  const failed = status === 'canceled' || status === 'errored'
  const waits = blocks.length === 0 && !failed
  if (!state.conversation.open.has(nameOf(toolCallId) ?? '') || waits) return
  const words = blocks.map(({ content }) => textOf(content) ?? '').join('\n')
  const value = blocks.length === 0 ? 'Tool cancelled' : words
  result(state, { toolCallId, output: textOutput(value, failed) })
}
