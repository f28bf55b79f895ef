import { omit } from '../omitted.ts'
import { textOutput } from '../conversation/tool-output.ts'
import { newSessionState, sessionReader, type SessionState } from '../conversation/session-state.ts'
import { closeResults, addResult, giveReply } from '../conversation/conversation.ts'
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
  type Fields,
} from '../../json/fields.ts'
import { give } from '../reading/grown-log.ts'
import { madeParts, saidInParts } from '../conversation/user-messages.ts'
import { userMessages, type OriginPart } from '../conversation/user-messages.ts'
import type { AssistantPart, UserPart } from '../../log/message.ts'
import type { FormatReader } from '../format.ts'
import type { Usage } from '../../log/entry.ts'

interface State extends SessionState {
  /** Thoughts that Continue keeps as a message before their reply. */
  thoughts: AssistantPart[]
  /** Nobody has said anything since the newest summary. */
  resumed: boolean
}

/** A new reader for one session. */
export function cnReader(): FormatReader {
  return sessionReader<State>({ ...newSessionState(), thoughts: [], resumed: false }, readSession)
}

/** The file records no times. */
const at = 0

function readSession(state: State, record: Fields): void {
  const { facts } = state
  const id = nameOf(record['sessionId'])
  const title = nameOf(record['title'])
  const directory = nameOf(record['workspaceDirectory'])?.replace(/^file:\/\//, '')
  if (id) facts.id ??= id
  if (title && !untitled.has(title)) facts.title ??= title
  if (directory) facts.directory ??= directory
  for (const value of listOf(record['history'])) {
    const item = fieldsOf(value)
    const message = fieldsOf(item?.['message'])
    if (item && message) readItem(state, item, message)
    else omit(state, 'damaged')
  }
}

const untitled: ReadonlySet<string> = new Set(['Untitled Session', 'New Session'])

function readItem(state: State, item: Fields, message: Fields): void {
  const summary = nameOf(item['conversationSummary'])
  // The command puts the summary in the place of what it sums up, the extension behind it.
  if (summary === undefined || summary !== message['content']) readMessage(state, item, message)
  if (summary === undefined) return
  closeResults(state.conversation)
  give(state.drafts, {
    kind: 'checkpoint',
    at,
    base: state.drafts.given,
    summary,
    summarizer: 'cn',
    tail: [],
    continuation: null,
    metadata: {},
  })
  state.resumed = true
}

function readMessage(state: State, item: Fields, message: Fields): void {
  switch (message['role']) {
    case 'user':
      return readUser(state, item, message)
    case 'assistant':
      return readReply(state, item, message)
    case 'thinking':
      state.thoughts.push(...thoughtIn(message))
      return
    case 'system': {
      const system = nameOf(message['content'])
      if (system) state.facts.system = system
    }
  }
}

function readUser(state: State, { contextItems, throughline }: Fields, { content }: Fields): void {
  const typed = userParts(content)
  const made = fieldsOf(throughline)?.['origin'] === 'harness' || goesOn(state, content)
  const files = typeof content === 'string' ? objectsOf(contextItems).flatMap(contextPart) : []
  const said = made ? typed.map(({ part }) => ({ origin: 'harness', part }) as const) : typed
  state.resumed = false
  const { conversation } = state
  closeResults(conversation)
  conversation.open.clear()
  const parts = made ? said : saidInParts(said)
  for (const draft of userMessages([...files, ...parts], at)) conversation.give(draft)
}

/** What Continue itself says after it has compacted in the middle of a task. */
function goesOn({ resumed }: State, content: unknown): boolean {
  return resumed && content === 'continue'
}

/** A file that goes along, in the words that Continue gives to the model. */
function contextPart({ name, content }: Fields): OriginPart[] {
  const text = textOf(content)
  return text === undefined
    ? []
    : madeParts(`<context name="${textOf(name)}">\n${text}\n</context>\n\n`)
}

function userParts(content: unknown): OriginPart[] {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  return objectsOf(blocks).flatMap((block): OriginPart[] => {
    const part = userPart(block)
    return part ? [{ origin: 'human', part }] : []
  })
}

function userPart(block: Fields): UserPart | undefined {
  const text = nameOf(block['text'])
  if (block['type'] === 'text') return text ? { type: 'text', text } : undefined
  const url = nameOf(fieldsOf(block['imageUrl'])?.['url'])
  if (!url) return undefined
  const { mediaType = 'image/png', data = url } = dataOf(url) ?? {}
  return { type: 'image', image: data, mediaType }
}

function readReply(state: State, item: Fields, message: Fields): void {
  const usage = fieldsOf(message['usage'])
  const model = nameOf(usage?.['model'])
  if (model) state.facts.model = model
  const states = objectsOf(item['toolCallStates'])
  const { content } = message
  const blocks = typeof content === 'string' ? [{ text: content }] : objectsOf(content)
  const parts = [
    ...state.thoughts.splice(0),
    ...thoughtIn({ content: fieldsOf(item['reasoning'])?.['text'] }),
    ...blocks.flatMap((block): AssistantPart[] => {
      const text = nameOf(block['text'])
      return text ? [{ type: 'text', text }] : []
    }),
    ...objectsOf(message['toolCalls']).flatMap((call) => callPart(call, states)),
  ]
  const { conversation, facts } = state
  if (!giveReply(conversation, { at, parts, model: facts.model, usage: usageOf(usage) })) {
    return omit(state, 'unfinished')
  }
  for (const called of states) giveResult(state, called)
}

function thoughtIn({ content }: Fields): AssistantPart[] {
  const text = nameOf(content)
  return text === undefined ? [] : [{ type: 'reasoning', text }]
}

function callPart(call: Fields, states: readonly Fields[]): AssistantPart[] {
  const toolCallId = nameOf(call['id'])
  const toolName = nameOf(fieldsOf(call['function'])?.['name'])
  if (!toolCallId || !toolName) return []
  const parsed = states.find((one) => one['toolCallId'] === toolCallId)?.['parsedArgs']
  const input = parsed ?? decodedInput(fieldsOf(call['function'])?.['arguments'])
  return [{ type: 'tool-call', toolCallId, toolName, input: boundedValue(input ?? {}) }]
}

/** Of a call that is neither done nor given up there is no result yet. */
function giveResult({ conversation }: State, { toolCallId: id, status, output }: Fields): void {
  const toolCallId = nameOf(id)
  const blocks = objectsOf(output)
  const waits = blocks.length === 0 && status !== 'canceled' && status !== 'errored'
  if (!toolCallId || !conversation.open.has(toolCallId) || waits) return
  const words = blocks.map(({ content }) => textOf(content) ?? '').join('\n')
  const value = blocks.length === 0 ? 'Tool cancelled' : words
  const failed = status === 'canceled' || status === 'errored'
  addResult(conversation, {
    at,
    toolCallId,
    output: textOutput(value, failed),
  })
}

function usageOf(usage: Fields | undefined): Usage | undefined {
  const inputTokens = countOf(usage?.['prompt_tokens'])
  const outputTokens = countOf(usage?.['completion_tokens'])
  if (inputTokens === undefined || outputTokens === undefined) return undefined
  const cacheReadTokens = countOf(fieldsOf(usage?.['prompt_tokens_details'])?.['cached_tokens'])
  return { inputTokens, outputTokens, ...(cacheReadTokens !== undefined && { cacheReadTokens }) }
}
