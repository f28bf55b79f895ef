import {
  addResult,
  closeResults,
  giveEntries,
  giveReply,
  type Conversation,
} from './conversation/conversation.ts'
import { clockTime } from './writing/written-fields.ts'
import { fieldsOf, nameOf, type Fields } from '../json/fields.ts'
import { isUnknown } from '../wires/unknown-part.ts'
import { lenientReading } from '../wires/reading.ts'
import { partsOf, type Part, type ProviderOptions, type UserPart } from '../log/message.ts'
import { restOf, type Notes } from '../wires/note.ts'
import { asksInWords } from '../facts/human/asks-in-words.ts'
import { userEntries } from './conversation/user-entries.ts'
import { userMessages, type OriginPart } from './conversation/user-messages.ts'
import type {
  AssistantMessage,
  AssistantPart,
  Message,
  SystemMessage,
  ToolMessage,
  ToolResultPart,
  UserMessage,
} from '../log/message.ts'
import type { CheckpointDraft, FinishReason, Metadata, Origin, Usage } from '../log/entry.ts'
import type { Pair, Wire } from '../wires/wire.ts'

export interface AnswerDetails {
  id?: string | undefined
  at?: number | undefined
  model?: string | undefined
  usage?: Usage | undefined
  finish?: FinishReason | undefined
}

/** How files hold the messages of a wire, in addition to what the wire itself reads. */
export interface ApiMessages<Native> {
  wire: Wire<Native>
  /** What the wire notes of messages beyond our own shape. */
  notes: Notes
  /** What a message among others says about itself. */
  detailsIn?: (native: Fields) => AnswerDetails
  /** Where a message, usually a user's, names its source. */
  sourceOf?: (native: Fields) => Metadata | undefined
  /** Who said a user's message, where that is noted. */
  originOf?: (native: Fields) => Origin | undefined
  /** What a system message is that is none of the caller's: a provider's own compaction, … */
  standing?: (message: SystemMessage) => Standing | undefined
  /** What the human said in refusing a call. */
  wordsIn?: (result: ToolResultPart) => string | undefined
  /** Whether a tool's message is as it was written, or one with those beside it. */
  toolMessages?: 'as-written'
  /** What to read in the place of messages, where a client says things in ways of its own. */
  translator?: () => Translator
}

type Standing = { checkpoint: string } | { parts: readonly AssistantPart[] }

/** Messages that came, with the answer that they are, in other words of the same API. */
export interface Translator {
  read: (native: Fields, details: AnswerDetails) => Translated[]
  end: () => Translated[]
}

export interface Translated {
  native: Fields
  details: AnswerDetails
}

/** Reads the messages of one conversation, in order. */
export interface MessageReader {
  read: (native: Fields, details: AnswerDetails) => void
  /** Returns what was held back. */
  end: () => void
}

/** Where a message reader puts what it finds. */
export interface MessageSink {
  conversation: Conversation
  /** Receives a piece of the system prompt. */
  addSystem: (text: string) => void
  omit: (reason: string, left: unknown) => void
}

/** Reads natives of a wire into a conversation, leniently: a file cannot be helped. */
export function messageReader<Native>(api: ApiMessages<Native>, sink: MessageSink): MessageReader {
  let current: Fields = {}
  const reader = api.wire.reader(
    lenientReading(({ reason, left }) => sink.omit(reason, left ?? current)),
  )
  const translator = api.translator?.()
  const state: State<Native> = { api, sink, begun: false, asked: false }
  let details: AnswerDetails | undefined
  const take = (pairs: readonly Pair<Native>[]): void => {
    for (const pair of pairs) takePair(state, pair, details ?? {})
  }
  const readNative = (native: Fields, given: AnswerDetails): void => {
    // The answer to a request comes from a different model call than the items in the request.
    if (given !== details) take(reader.end())
    details = given
    current = native
    take(reader.read(native as Native))
  }
  const readAll = (translated: readonly Translated[]): void => {
    for (const { native, details } of translated) readNative(native, details)
  }
  return {
    read(native, given) {
      if (translator) readAll(translator.read(native, given))
      else readNative(native, given)
    },
    end() {
      if (translator) readAll(translator.end())
      take(reader.end())
      closeResults(sink.conversation)
    },
  }
}

interface State<Native> {
  api: ApiMessages<Native>
  sink: MessageSink
  /** Whether anything but the system prompt was read. */
  begun: boolean
  /** Whether the newest reply asked for a tool in words: what follows is the tool's. */
  asked: boolean
}

/** A message with the native that it was read from. */
interface Read<Kind extends Message> {
  message: Kind
  native: Fields
  details: AnswerDetails
}

function takePair<Native>(
  state: State<Native>,
  { natives, messages }: Pair<Native>,
  given: AnswerDetails,
): void {
  const native = fieldsOf(natives[0]) ?? {}
  const own = state.api.detailsIn?.(native)
  const details = { ...own, ...Object.fromEntries(Object.entries(given).filter(isThere)) }
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'system') state.begun = true
    switch (message.role) {
      case 'system':
        takeSystem(state, { message, native, details })
        break
      case 'user':
        takeUser(state, { message, native, details }, index > 0)
        break
      case 'assistant':
        takeReply(state, { message, native, details })
        break
      case 'tool':
        takeResults(state, { message, native, details })
        break
    }
  }
}

function isThere([, value]: [string, unknown]): boolean {
  return value !== undefined
}

/** Leading system messages are the system prompt; later ones are the harness's. */
function takeSystem<Native>(state: State<Native>, read: Read<SystemMessage>): void {
  const { api, sink, begun } = state
  const { message, native, details } = read
  const standing = api.standing?.(message)
  if (standing && 'parts' in standing) {
    state.begun = true
    const at = details.at ?? timeIn(native)
    giveReply(sink.conversation, { at, parts: standing.parts, ...answered(details) })
    return
  }
  if (standing) {
    state.begun = true
    return giveEntries(sink.conversation, [
      checkpointOf(standing.checkpoint, details.at ?? timeIn(native)),
    ])
  }
  const { content: text } = message
  if (!begun) return sink.addSystem(text)
  if (text === '') return sink.omit('empty', native)
  const said = [{ origin: 'harness' as const, part: { type: 'text' as const, text } }]
  const metadata = { source: { role: nameOf(native['role']) ?? 'system' } }
  giveEntries(sink.conversation, userMessages(said, timeIn(native), metadata))
}

function checkpointOf(summary: string, at: number): CheckpointDraft {
  return {
    kind: 'checkpoint',
    at,
    base: 0,
    summary,
    summarizer: 'anthropic',
    tail: [],
    continuation: null,
    metadata: {},
  }
}

/** `beside` says that something else was read from the same native. */
function takeUser<Native>(
  state: State<Native>,
  { message, native }: Read<UserMessage>,
  beside: boolean,
): void {
  const { api, sink, asked } = state
  state.asked = false
  const parts = partsOf(message).filter(isSaid) as UserPart[]
  const [at, metadata] = [timeIn(native), api.sourceOf?.(native)]
  const origin = api.originOf?.(native)
  const said = parts.map((part): OriginPart => {
    return { origin: origin ?? (isUnknown(part) ? 'harness' : 'human'), part }
  })
  const entries =
    origin === undefined
      ? userEntries(said, at, { metadata, answers: asked })
      : userMessages(said, at, metadata)
  if (entries.length === 0) return beside ? undefined : sink.omit('empty', native)
  const providerOptions = ownOptions(message, api.notes)
  giveEntries(
    sink.conversation,
    providerOptions
      ? entries.map((entry) => ({ ...entry, message: { ...entry.message, providerOptions } }))
      : entries,
  )
}

function takeReply<Native>(
  state: State<Native>,
  { message, native, details }: Read<AssistantMessage>,
): void {
  const { api, sink } = state
  state.asked = asksInWords(message)
  const parts = partsOf(message).filter(isSaid) as AssistantPart[]
  const given = giveReply(sink.conversation, {
    at: details.at ?? timeIn(native),
    parts,
    ...answered(details),
    metadata:
      details.id === undefined ? api.sourceOf?.(native) : { source: { message: details.id } },
    providerOptions: ownOptions(message, api.notes),
  })
  if (!given) sink.omit('empty', parts.length > 0 ? undefined : native)
}

function answered({ model, usage, finish }: AnswerDetails): Omit<AnswerDetails, 'at' | 'id'> {
  return { model, usage, finish }
}

function takeResults<Native>(
  { api, sink }: State<Native>,
  { message, native }: Read<ToolMessage>,
): void {
  const { conversation } = sink
  const at = timeIn(native)
  if (api.toolMessages === 'as-written') {
    if (message.content.length === 0) return sink.omit('empty', native)
    const providerOptions = ownOptions(message, api.notes)
    const { content } = message
    const whole = { role: 'tool' as const, content, ...(providerOptions && { providerOptions }) }
    return giveEntries(conversation, [{ kind: 'message', at, message: whole, origin: 'tool' }])
  }
  const words: OriginPart[] = []
  for (const part of message.content) {
    if (part.type !== 'tool-result') continue
    const { toolCallId, toolName, output, providerOptions } = part
    const named = toolName === 'unknown' ? {} : { toolName }
    addResult(conversation, { at, toolCallId, output, providerOptions, ...named })
    const text = api.wordsIn?.(part)
    if (text) words.push({ origin: 'human', part: { type: 'text', text } })
  }
  if (words.length > 0) giveEntries(conversation, userEntries(words, at))
}

function isSaid(part: Part): boolean {
  return part.type !== 'text' || part.text !== ''
}

/** What entries say in words of their own, or of the file alone. */
const told = [
  'id',
  'type',
  'model',
  'usage',
  'stop_reason',
  'stop_sequence',
  'timestamp',
  'created_at',
  'createdAt',
]

/** What a message bears that nobody here knows. */
function ownOptions(message: Message, notes: Notes): ProviderOptions | undefined {
  const rest = fieldsOf(notes.of(message)['rest'])
  return notes.beside(message, { rest: rest && restOf(rest, told) }).providerOptions
}

function timeIn(native: Fields): number {
  const own = native['timestamp'] ?? native['created_at'] ?? native['createdAt']
  return clockTime(own ?? fieldsOf(native['metadata'])?.['createdAt']) ?? 0
}
