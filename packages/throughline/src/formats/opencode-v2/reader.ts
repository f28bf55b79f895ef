import {
  blocksIn,
  by,
  call,
  media,
  outputMedia,
  outputText,
  partsByType,
  reasoning,
  rowFor,
  saidBy,
  sourceOf,
  text,
  textOutput,
  unknownText,
  type Rows,
} from '../conversation/parts.ts'
import { closeResults } from '../conversation/conversation.ts'
import {
  compact,
  newSessionState,
  note,
  noteFirst,
  omit,
  readEach,
  recordReader,
  reply,
  result,
  rewind,
  say,
  type SessionState,
} from '../conversation/session-state.ts'
import {
  countOf,
  decodedInput,
  fieldsOf,
  listOf,
  nameOf,
  objectsOf,
  textOf,
  timeOf,
  type Fields,
} from '../../json/fields.ts'
import { madeParts } from '../conversation/user-messages.ts'
import { modelNameOf } from '../writing/written-fields.ts'
import { usageOf } from '../opencode/parts.ts'
import type { AssistantPart, ToolOutput, ToolOutputPart } from '../../log/message.ts'
import type { FinishReason, Seq } from '../../log/entry.ts'
import type { FormatReader } from '../format.ts'

interface State extends SessionState {
  /** By message: the seq that its first entry has. */
  firstOf: Map<string, Seq>
}

export function opencodeV2Reader(): FormatReader {
  return recordReader<State>({ ...newSessionState(), firstOf: new Map() }, readSession)
}

/** The messages stand in their order: no id and no time tells it. */
function readSession(state: State, record: Fields): void {
  const { id, title, location, revert } = fieldsOf(record['info']) ?? {}
  noteFirst(state, { id, title, directory: fieldsOf(location)?.['directory'] })
  readEach(state, listOf(record['messages']), readMessage)
  closeResults(state.conversation)
  // The human went back to before this message and has said nothing since.
  const first = state.firstOf.get(nameOf(fieldsOf(revert)?.['messageID']) ?? '')
  if (first !== undefined && first <= state.drafts.given) rewind(state, first - 1)
}

function readMessage(state: State, message: Fields): void {
  const id = nameOf(message['id'])
  if (id && state.firstOf.has(id)) return omit(state, 'duplicate')
  state.at = timeOf(fieldsOf(message['time'])?.['created']) ?? state.at
  closeResults(state.conversation)
  if (id) state.firstOf.set(id, state.drafts.given + 1)
  rowFor(messages, message['type'])?.(state, message)
}

const messages: Readonly<Record<string, (state: State, message: Fields) => void>> = {
  user(state, message) {
    const files = objectsOf(message['files']).flatMap((file) =>
      nameOf(file['mime']) ? media({ ...fileIn(file), filename: file['name'] }) : [],
    )
    const parts = by('human', [...text(message['text']), ...files])
    say(state, saidBy(false, parts), sourceOf(message['id']))
  },
  synthetic: sayMade,
  system: sayMade,
  skill: sayMade,
  shell: (state, message) => sayMade(state, { ...message, text: shellText(message) }),
  assistant: readReply,
  compaction: readCompaction,
  'model-switched': (state, { model }) => noteModel(state, model),
}

function sayMade(state: State, { id, text: words }: Fields): void {
  say(state, madeParts(textOf(words) ?? ''), sourceOf(id))
}

function noteModel(state: State, model: unknown): void {
  note(state, { model: modelNameOf(fieldsOf(model)?.['id']) })
}

function fileIn({ uri: from, mime: mediaType }: Fields): { from: unknown; mediaType: unknown } {
  return { from, mediaType }
}

/** A command that the human ran outside the conversation. */
function shellText({ output, exit, command }: Fields): string {
  const printed = textOf(output) ?? textOf(fieldsOf(output)?.['output']) ?? ''
  const ended = countOf(exit) ? `\n\nIt ended with ${countOf(exit)}.` : ''
  return `The user ran a command: ${textOf(command) ?? ''}\n\n${printed}${ended}`
}

function readReply(state: State, message: Fields): void {
  noteModel(state, message['model'])
  const blocks = blocksIn(message['content'])
  const said = {
    parts: partsByType(replyBlocks, blocks),
    model: state.facts.model,
    usage: usageOf(message['tokens']),
    finish: finishes.find((name) => name === message['finish']),
    metadata: sourceOf(message['id']),
  }
  const otherwise = message['error'] === undefined ? 'unfinished' : 'failed-reply'
  if (!reply(state, said, otherwise)) return
  for (const { type, id: toolCallId, executed, state: done } of blocks) {
    const output = type === 'tool' && executed !== true ? outputOf(fieldsOf(done)) : undefined
    if (output) result(state, { toolCallId, output })
  }
}

const finishes: readonly FinishReason[] = [
  'stop',
  'length',
  'content-filter',
  'tool-calls',
  'error',
  'other',
]

const replyBlocks: Rows<Fields, AssistantPart[]> = {
  text: (block) => text(block['text']),
  reasoning: (block) => reasoning(block['text']),
  // A call, and right beside it the result of one that the provider itself has run.
  tool({ id, name, executed, state }) {
    const done = fieldsOf(state)
    // While a call is streamed, its input is a text.
    const called = call(id, name, decodedInput(done?.['input']))
    const output = executed === true ? outputOf(done) : undefined
    return called.flatMap((part): AssistantPart[] => {
      const { toolCallId, toolName } = part
      return output ? [part, { type: 'tool-result', toolCallId, toolName, output }] : [part]
    })
  },
}

/** A call that is streamed or runs has none yet. */
function outputOf(state: Fields | undefined): ToolOutput | undefined {
  const { status, content, error } = state ?? {}
  if (status !== 'completed' && status !== 'error') return undefined
  const failed = status === 'error'
  const pieces = blocksIn(content).flatMap((block): ToolOutputPart[] => {
    if (block['type'] === 'text') return outputText(textOf(block['text']) ?? '')
    return nameOf(block['mime']) ? outputMedia(fileIn(block)) : unknownText(block)
  })
  if (pieces.some(({ type }) => type !== 'text')) {
    const noted = failed && { providerOptions: { opencode: { failed } } }
    return { type: 'content', value: pieces, ...noted }
  }
  const words = pieces.map((piece) => piece.text ?? '').join('\n')
  const problem = textOf(fieldsOf(error)?.['message']) ?? textOf(error) ?? ''
  return textOutput(failed && words === '' ? problem : words, failed)
}

/** What the model sees begins with the newest compaction that succeeded: its summary, and the end as text. */
function readCompaction(state: State, message: Fields): void {
  if (message['status'] !== 'completed') return omit(state, 'unfinished')
  const recent = textOf(message['recent']) ?? ''
  const end = recent.trim() === '' ? '' : `\n\n<recent-context>\n${recent}\n</recent-context>`
  const summary = `${textOf(message['summary']) ?? ''}${end}`
  compact(state, { by: 'opencode-v2', label: 'opencode', summary, id: message['id'] })
}
