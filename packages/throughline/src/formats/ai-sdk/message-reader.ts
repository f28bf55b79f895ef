import { closeResults, giveEntries, giveReply } from '../conversation/conversation.ts'
import { clockTime } from '../writing/clock-time.ts'
import { fieldsOf, nameOf, textOf, type Fields } from '../../json/fields.ts'
import { userEntries } from '../conversation/user-entries.ts'
import { userMessages, type OriginPart } from '../conversation/user-messages.ts'
import { assistantParts } from './assistant-parts.ts'
import { notedOrigin } from './noted-origin.ts'
import { optionsOf } from './provider-options.ts'
import { toolParts } from './tool-parts.ts'
import { modelMessages } from './ui-messages.ts'
import { userParts } from './user-parts.ts'
import type { AnswerDetails, MessageReader, MessageSink } from '../api-reader.ts'
import type { MessageDraft, Metadata } from '../../log/entry.ts'

interface State {
  sink: MessageSink
  /** Whether anything but the system prompt was read. */
  begun: boolean
}

/** Reads the SDK's model messages, and the messages of its user interface. */
export function messageReader(sink: MessageSink): MessageReader {
  const state: State = { sink, begun: false }
  return {
    read: (message, details) => {
      if (!Array.isArray(message['parts'])) return readMessage(state, message, details)
      const { messages, unknown } = modelMessages(message)
      countUnknown(sink, unknown)
      for (const one of messages) readMessage(state, one, details)
    },
    end: () => closeResults(sink.conversation),
  }
}

function readMessage(state: State, message: Fields, details: AnswerDetails): void {
  switch (message['role']) {
    case 'system':
      return readSystem(state, message)
    case 'user':
      return readUser(state, message)
    case 'assistant':
      return readAssistant(state, message, details)
    case 'tool':
      return readTool(state, message)
    default:
      return state.sink.omit('unknown-record')
  }
}

/** What stands before all else is the system prompt; what comes later, the harness says. */
function readSystem({ sink, begun }: State, message: Fields): void {
  const text = textOf(message['content']) ?? ''
  if (!begun) return sink.addSystem(text)
  if (text === '') return sink.omit('empty')
  const part = { type: 'text' as const, text }
  const metadata = { source: { role: 'system' } }
  giveEntries(sink.conversation, userMessages([{ origin: 'harness', part }], 0, metadata))
}

function readUser(state: State, message: Fields): void {
  const { sink } = state
  state.begun = true
  const providerOptions = optionsOf(message['providerOptions'])
  const { parts, unknown } = userParts(message['content'])
  countUnknown(sink, unknown)
  const entries = entriesIn(message, parts)
  if (entries.length === 0) return sink.omit('empty')
  giveEntries(
    sink.conversation,
    entries.map((entry) =>
      providerOptions ? { ...entry, message: { ...entry.message, providerOptions } } : entry,
    ),
  )
}

function entriesIn(message: Fields, parts: readonly OriginPart[]): MessageDraft[] {
  const origin = notedOrigin(message)
  const [at, metadata] = [timeIn(message), metadataOf(message)]
  if (origin === undefined) return userEntries(parts, at, metadata)
  return userMessages(
    parts.map(({ part }) => ({ origin, part })),
    at,
    metadata,
  )
}

function readAssistant(state: State, message: Fields, details: AnswerDetails): void {
  const { sink } = state
  state.begun = true
  const { parts, unknown } = assistantParts(message['content'])
  countUnknown(sink, unknown)
  const { at, model, usage, finish } = details
  const given = giveReply(sink.conversation, {
    at: at ?? timeIn(message),
    parts,
    model,
    usage,
    finish,
    metadata: metadataOf(message),
    providerOptions: optionsOf(message['providerOptions']),
  })
  if (!given) sink.omit('empty')
}

function readTool(state: State, message: Fields): void {
  const { sink } = state
  state.begun = true
  const { parts, unknown } = toolParts(message['content'])
  countUnknown(sink, unknown)
  if (parts.length === 0) return sink.omit('empty')
  const providerOptions = optionsOf(message['providerOptions'])
  giveEntries(sink.conversation, [
    {
      kind: 'message',
      at: timeIn(message),
      message: { role: 'tool', content: parts, ...(providerOptions && { providerOptions }) },
      origin: 'tool',
    },
  ])
}

function countUnknown(sink: MessageSink, unknown: number): void {
  for (let part = 0; part < unknown; part++) sink.omit('unknown-part')
}

function metadataOf(message: Fields): Metadata | undefined {
  const id = nameOf(message['id'])
  return id === undefined ? undefined : { source: { message: id } }
}

function timeIn(message: Fields): number {
  const metadata = fieldsOf(message['metadata'])
  return clockTime(message['createdAt'] ?? metadata?.['createdAt']) ?? 0
}
