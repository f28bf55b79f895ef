import { abortedResult } from '../../log/open-calls.ts'
import {
  blocksIn,
  by,
  call,
  media,
  outputMedia,
  outputOfPieces,
  outputText,
  partsByType,
  reasoning,
  rowFor,
  saidBy,
  saidByType,
  sealed,
  sourceOf,
  text,
  textOutput,
  unknownText,
  usage,
  type Rows,
  type Sealed,
} from '../conversation/parts.ts'
import {
  closeReply,
  fileChange,
  fileCompaction,
  fileReply,
  fileResult,
  fileUnfinished,
  fileUnseen,
  fileUser,
  goBack,
  newTreeState,
  seqsIn,
  unitsBetween,
  type TreeState,
} from '../conversation/tree-session.ts'
import {
  countOf,
  decodedInput,
  fieldsOf,
  nameOf,
  objectsOf,
  textOf,
  timeOf,
  type Fields,
} from '../../json/fields.ts'
import { give } from '../reading/grown-log.ts'
import { modelNameOf } from '../writing/written-fields.ts'
import {
  isMessage,
  note,
  noteFirst,
  omit,
  pass,
  prune,
  recordReader,
  tailOf,
} from '../conversation/session-state.ts'
import { partsOf } from '../../log/message.ts'
import { ref } from '../../log/ref.ts'
import { recordsOf } from '../../log/client-records.ts'
import type { AssistantPart, ToolOutput, ToolOutputPart } from '../../log/message.ts'
import type { EntryDraft, FinishReason, Origin, Seq } from '../../log/entry.ts'
import type { FormatReader } from '../format.ts'
import type { OriginPart } from '../conversation/user-messages.ts'

/** What is known while a session file is read. */
interface State extends TreeState {
  /** The position of the record in its file, from 0: what version 1 has instead of ids. */
  index: number
  /** By record: where what it said stands. */
  places: Map<string, Place[]>
  /** By reply: its last results. */
  resultsOf: Map<Seq, Seq>
  compacted: Seq
}

/** Where what a record said stands: a message, or one of the results in it. */
interface Place {
  seq: Seq
  /** The parts that hold words or media; of one result, its own alone. */
  parts: readonly number[]
  result: boolean
  /** Whether nothing else stands in the message. */
  alone: boolean
}

/** A fresh reader for one session file. */
export function piReader(): FormatReader {
  const places: State['places'] = new Map()
  const resultsOf: State['resultsOf'] = new Map()
  let newest: Seq = 0
  const tree = newTreeState((seq, draft) => {
    notePlaces(places, draft, seq)
    const role = draft.kind === 'message' && draft.message.role
    if (role === 'assistant') newest = seq
    if (role === 'tool') resultsOf.set(newest, seq)
  })
  const state: State = { ...tree, index: 0, places, resultsOf, compacted: 0 }
  const reader = recordReader(state, readRecord, closeReply, spoken)
  return {
    ...reader,
    push(value) {
      const drafts = reader.push(value)
      state.index++
      return drafts
    },
  }
}

/** By its type, or as what an extension says, or as a summary. */
function spoken(type: string, record: Fields): boolean {
  const { customType, content, summary } = record
  const isWords = (customType && content) !== undefined || summary !== undefined
  return isWords || type === 'message' || isMessage(record)
}

/** Notes where the records of a draft stand, by their ids. */
function notePlaces(places: State['places'], draft: EntryDraft, seq: Seq): void {
  if (draft.kind !== 'message') return
  const records = recordsOf(draft)
  const { message } = draft
  const result = message.role === 'tool' && message.content.length === records.length
  const shown = partsOf(message).flatMap(({ type }, index) =>
    type === 'tool-call' || type === 'reasoning' ? [] : [index],
  )
  records.forEach((id, index) => {
    const place = { seq, parts: result ? [index] : shown, result, alone: records.length === 1 }
    places.set(id, [...(places.get(id) ?? []), place])
  })
}

function readRecord(state: State, record: Fields): void {
  const { type } = record
  if (type === 'session') {
    // A fork repeats no header: the first one is the file's own.
    const { id, cwd: directory } = record
    return noteFirst(state, { id, directory, model: modelNameOf(record['modelId']) })
  }
  if (type === 'session_info') note(state, { title: record['name'] })
  if (typeof record['id'] !== 'string' && !flat.has(type)) return
  const id = nameOf(record['id']) ?? indexId(state.index)
  if (state.tree.unitOf.has(id)) return omit(state, 'duplicate')
  state.at = timeOf(record['timestamp']) ?? state.at
  goBack(state, record['parentId'])
  ;(rowFor(entries, type) ?? fileUnseen)(state, record)
  state.tree.unitOf.set(id, state.tree.newest)
}

/** The name of an entry that has no id. */
function indexId(index: number): string {
  return `#${index}`
}

/** What version 1 writes, without ids. */
const flat: ReadonlySet<unknown> = new Set([
  'message',
  'compaction',
  'model_change',
  'thinking_level_change',
])

const entries: Readonly<Record<string, (state: State, record: Fields) => void>> = {
  message(state, record) {
    const message = fieldsOf(record['message']) ?? {}
    const row = rowFor(messages, message['role'])
    if (row) return row(state, message, record['id'])
    // Another role is one that pi has added, such as its system prompt's.
    if (nameOf(message['role']) !== undefined) pass(state)
    fileUnseen(state)
  },
  custom_message: (state, { content, id }) =>
    fileUser(state, said(content, 'harness'), sourceOf(id)),
  branch_summary(state, { summary, id }) {
    fileUser(state, by('harness', nameOf(summary) ? text(branchText(summary)) : []), sourceOf(id))
  },
  compaction(state, record) {
    const { id, summary, tokensBefore: preTokens, firstKeptEntryId } = record
    const index = countOf(record['firstKeptEntryIndex'])
    const kept = nameOf(firstKeptEntryId) ?? (index === undefined ? '' : indexId(index))
    closeReply(state)
    const { tree } = state
    const first = tree.unitOf.get(kept)
    const units = first === undefined ? [] : unitsBetween(tree, first, tree.newest)
    const tail = tailOf(seqsIn(tree, units).slice(-longestTail))
    fileCompaction(state, { by: 'pi', label: 'pi', summary, tail, preTokens, id })
    state.compacted = state.drafts.given
  },
  context_edit: editContext,
  model_change(state, { modelId }) {
    note(state, { model: modelNameOf(modelId) })
    fileUnseen(state)
  },
}

const longestTail = 500

const messages: Readonly<Record<string, (state: State, message: Fields, id: unknown) => void>> = {
  assistant(state, message, id) {
    const { stopReason } = message
    // pi never shows the model a reply that failed or was stopped.
    if (stopReason === 'error' || stopReason === 'aborted') return fileUnfinished(state)
    const model = modelNameOf(message['model'])
    note(state, { model })
    const { cacheRead, cacheWrite, input, output } = fieldsOf(message['usage']) ?? {}
    fileReply(state, {
      parts: replyParts(message),
      model,
      usage: usage({
        input: [input, cacheRead, cacheWrite],
        output: [output],
        cacheRead,
        cacheWrite,
      }),
      finish: finishes.get(stopReason),
      metadata: sourceOf(id),
    })
  },
  toolResult(state, message, id) {
    const toolCallId = nameOf(message['toolCallId'])
    if (!toolCallId) return fileUnseen(state)
    const toolName = nameOf(message['toolName'])
    fileResult(state, { toolCallId, toolName, output: toolOutput(message), record: nameOf(id) })
  },
  user: (state, { content }, id) => fileUser(state, said(content, 'human'), sourceOf(id)),
  custom: (state, { content }, id) => fileUser(state, said(content, 'harness'), sourceOf(id)),
  hookMessage: (state, { content }, id) => fileUser(state, said(content, 'harness'), sourceOf(id)),
  bashExecution(state, message, id) {
    const shown = message['excludeFromContext'] === true ? [] : text(bashText(message))
    fileUser(state, by('harness', shown), sourceOf(id))
  },
}

const finishes: ReadonlyMap<unknown, FinishReason> = new Map([
  ['stop', 'stop'],
  ['toolUse', 'tool-calls'],
  ['length', 'length'],
])

/** A user's message, or one of an extension, as the model saw it. */
function said(content: unknown, origin: Origin): OriginPart[] {
  return saidBy(origin === 'harness', saidByType(userBlocks, blocksIn(content)))
}

const userBlocks: Rows<Fields, ReturnType<typeof media>> = {
  text: (block) => text(block['text']),
  image: ({ data: from, mimeType: mediaType }) => media({ from, mediaType }),
}

/**
 * A command that the human ran outside the conversation, in the words that pi gives to the model.
 */
function bashText(message: Fields): string {
  const output = textOf(message['output']) ?? ''
  const printed = output === '' ? '(no output)' : `\`\`\`\n${output}\n\`\`\``
  const exitCode = countOf(message['exitCode'])
  const cancelled = message['cancelled'] === true
  const path = message['truncated'] === true ? nameOf(message['fullOutputPath']) : undefined
  return [
    `Ran \`${textOf(message['command']) ?? ''}\`\n${printed}`,
    ...(cancelled ? ['(command cancelled)'] : []),
    ...(!cancelled && exitCode ? [`Command exited with code ${exitCode}`] : []),
    ...(path ? [`[Output truncated. Full output: ${path}]`] : []),
  ].join('\n\n')
}

/** The summary of a branch that the human left, in the words that pi gives to the model. */
function branchText(summary: unknown): string {
  return `The following is a summary of a branch that this conversation came back from:\n\n<summary>\n${textOf(summary)}</summary>`
}

function replyParts(message: Fields): AssistantPart[] {
  const { content } = message
  if (typeof content === 'string') return text(content)
  const api = textOf(message['api']) ?? ''
  const blocks: Rows<Fields, AssistantPart[]> = {
    text: (block) => text(block['text']),
    thinking: ({ thinking, thinkingSignature, redacted }) =>
      reasoning(thinking, sealOf(nameOf(thinkingSignature) ?? '', redacted === true, api)),
    toolCall: ({ id, name, arguments: input, thoughtSignature }) =>
      call(id, name, input, sealed('google', { thoughtSignature })),
  }
  return partsByType(blocks, blocksIn(content))
}

/** The provider's signature on its reasoning; some providers give the name of a field instead. */
function sealOf(signature: string, redacted: boolean, api: string): Sealed {
  if (api.startsWith('anthropic') || api.startsWith('bedrock')) {
    return sealed('anthropic', redacted ? { redactedData: signature } : { signature })
  }
  if (api.startsWith('google')) return sealed('google', { thoughtSignature: signature })
  // pi keeps the reasoning item of the Responses API whole, as JSON.
  const item = signature.startsWith('{') ? fieldsOf(decodedInput(signature)) : undefined
  const { id: itemId, encrypted_content: reasoningEncryptedContent } = item ?? {}
  return nameOf(reasoningEncryptedContent)
    ? sealed('openai', { itemId, reasoningEncryptedContent })
    : {}
}

/** What a `toolResult` message gave the model. */
function toolOutput({ isError, content }: Fields): ToolOutput {
  const failed = isError === true
  if (typeof content === 'string') return textOutput(content, failed)
  const pieces = blocksIn(content).flatMap((block): ToolOutputPart[] => {
    const { type, data: from, mimeType: mediaType, text: words } = block
    if (type === 'image') return outputMedia({ from, mediaType })
    return textOf(words) === undefined ? unknownText(block) : outputText(words)
  })
  return outputOfPieces(pieces, failed, { pi: { isError: true } })
}

/**
 * An entry that changes what the model sees of an earlier one: without a replacement it sees
 * nothing of it any more, as if it had never been said; with one it sees other words.
 */
function editContext(state: State, { targetId, replacement }: Fields): void {
  fileChange(state, () => {
    const places = state.places.get(nameOf(targetId) ?? '') ?? []
    const content = fieldsOf(replacement)?.['content']
    if (content === undefined) leaveOut(state, places)
    else replace(state, places, wordsOf(content))
  })
}

const leftOut = '[What stood here was taken out of the session.]'

function leaveOut(state: State, places: readonly Place[]): void {
  const [first] = places
  const last = places.at(-1)
  if (!first || !last) return
  // What a compaction keeps it names, and one of several results cannot go without its call.
  if (first.seq < state.compacted || !first.alone) {
    return replace(state, places, first.result ? abortedResult : leftOut)
  }
  const { drafts, at, resultsOf } = state
  // The results of a reply that goes go with it.
  const resume = Math.min((resultsOf.get(last.seq) ?? last.seq) + 1, drafts.given + 1)
  give(drafts, { kind: 'rewind', at, to: first.seq - 1, resume })
}

/** The words stand in the place of the first part that holds any; calls stay, for their results do. */
function replace(state: State, places: readonly Place[], words: string): void {
  const replacements = places.flatMap(({ seq, parts }) =>
    parts.map((part, index) => ({
      how: 'described' as const,
      ref: ref(seq, part),
      text: index === 0 ? words : leftOut,
    })),
  )
  prune(state, replacements)
}

function wordsOf(content: unknown): string {
  if (typeof content === 'string') return content
  const texts = objectsOf(content).flatMap((block) => textOf(block['text']) ?? [])
  return texts.length > 0 ? texts.join('\n') : leftOut
}
