import { addResult, closeResults, giveEntries, giveReply } from '../conversation/conversation.ts'
import { nameOf, textOf, type Fields } from '../../json/fields.ts'
import { toolOutput } from '../codex/tool-output.ts'
import { userEntries } from '../conversation/user-entries.ts'
import { userMessages } from '../conversation/user-messages.ts'
import { modelParts } from './model-parts.ts'
import { userParts } from './user-parts.ts'
import type { AnswerDetails, MessageReader, MessageSink } from '../api-reader.ts'
import type { AssistantPart } from '../../log/message.ts'

interface State {
  sink: MessageSink
  /** Whether anything but the system prompt was read. */
  begun: boolean
  /** The response that is being put together from its items. */
  reply: { parts: AssistantPart[]; details: AnswerDetails } | undefined
  /** Items of the model's so far: names calls that have no id. */
  serial: number
}

/** Reads items of the Responses API: those of one response become one message. */
export function itemReader(sink: MessageSink): MessageReader {
  const state: State = { sink, begun: false, reply: undefined, serial: 0 }
  return {
    read: (item, details) => readItem(state, item, details),
    end: () => {
      closeReply(state)
      closeResults(sink.conversation)
    },
  }
}

function readItem(state: State, item: Fields, details: AnswerDetails): void {
  const type = textOf(item['type']) ?? 'message'
  const role = item['role']
  if (type.endsWith('_output')) return readOutput(state, item)
  if (type !== 'message' || role === 'assistant') return readModelItem(state, item, details)
  closeReply(state)
  if (role === 'user') return readUser(state, item)
  if (role === 'system' || role === 'developer') return readSystem(state, item)
  state.sink.omit('unknown-record')
}

function readModelItem(state: State, item: Fields, details: AnswerDetails): void {
  const parts = modelParts(item, state.serial + 1)
  if (!parts) return state.sink.omit('unknown-record')
  state.begun = true
  state.serial++
  // What answers a request was made by another call of the model than what stands in it.
  if (state.reply?.details !== details) closeReply(state)
  state.reply ??= { parts: [], details }
  state.reply.parts.push(...parts)
}

function closeReply(state: State): void {
  const { reply, sink } = state
  state.reply = undefined
  if (!reply) return
  const { at, id, model, usage, finish } = reply.details
  const metadata = id === undefined ? undefined : { source: { message: id } }
  const given = giveReply(sink.conversation, {
    at: at ?? 0,
    parts: reply.parts,
    model,
    usage,
    finish,
    metadata,
  })
  if (!given) sink.omit('empty')
}

function readOutput(state: State, item: Fields): void {
  closeReply(state)
  state.begun = true
  const toolCallId = nameOf(item['call_id'])
  if (!toolCallId) return state.sink.omit('result-without-call')
  addResult(state.sink.conversation, { at: 0, toolCallId, output: toolOutput(item) })
}

function readUser(state: State, item: Fields): void {
  const { sink } = state
  state.begun = true
  const entries = userEntries(userParts(item['content']), 0)
  if (entries.length === 0) return sink.omit('empty')
  giveEntries(sink.conversation, entries)
}

/** What stands before all else is the system prompt; what comes later, the harness says. */
function readSystem({ sink, begun }: State, item: Fields): void {
  const parts = userParts(item['content'])
  const texts = parts.flatMap(({ part }) => (part.type === 'text' ? [part.text] : []))
  if (!begun) return sink.addSystem(texts.join('\n'))
  if (parts.length === 0) return sink.omit('empty')
  const said = parts.map(({ part }) => ({ origin: 'harness' as const, part }))
  giveEntries(sink.conversation, userMessages(said, 0, { source: { role: item['role'] } }))
}
