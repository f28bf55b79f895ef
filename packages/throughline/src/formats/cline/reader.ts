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
  sealed,
  sourceOf,
  text,
  textOutput,
  understood,
  unknownBlock,
  usage,
  type Rows,
} from '../conversation/parts.ts'
import {
  compact,
  newSessionState,
  note,
  noteFirst,
  readEach,
  recordReader,
  reply,
  result,
  say,
  type SessionState,
} from '../conversation/session-state.ts'
import {
  countOf,
  fieldsOf,
  jsonOf,
  listOf,
  nameOf,
  objectsOf,
  textOf,
  timeOf,
  type Fields,
} from '../../json/fields.ts'
import { madeParts, type OriginPart } from '../conversation/user-messages.ts'
import type { AssistantPart, ToolOutput, ToolOutputPart } from '../../log/message.ts'
import type { FormatReader } from '../format.ts'

interface State extends SessionState {
  /** Cline marks what the human typed: everything else in their place is its own. */
  marked: boolean
}

export function clineReader(): FormatReader {
  return recordReader<State>({ ...newSessionState(), marked: false }, readSession)
}

function readSession(state: State, record: Fields): void {
  noteFirst(state, { id: record['sessionId'], system: record['system_prompt'] })
  const messages = listOf(record['messages'])
  state.marked ||=
    isNew(record) || messages.some((value) => blocksIn(fieldsOf(value)?.['content']).some(isMarked))
  readEach(state, messages, readMessage)
}

/** Whether a version of Cline wrote it that marks what the human typed, even if they typed nothing. */
function isNew({ origin, source_message_count: count }: Fields): boolean {
  return fieldsOf(origin) !== undefined || countOf(count) !== undefined
}

function isMarked(block: Fields): boolean {
  return block['type'] === 'text' && isWrapped(textOf(block['text']) ?? '')
}

function readMessage(state: State, message: Fields): void {
  const { id, role, modelInfo, metrics } = message
  state.at = timeOf(message['ts']) ?? state.at
  const metadata = fieldsOf(message['metadata']) ?? {}
  const blocks = blocksIn(message['content'])
  if (metadata['kind'] === 'compaction_summary') {
    const shown = blocks.map((block) => textOf(block['text']) ?? '').join('\n')
    // A summary stands in the place of what it sums up.
    const { summary, tokensBefore: preTokens } = metadata
    compact(state, { by: 'cline', label: 'Cline', summary: nameOf(summary) ?? shown, preTokens })
  } else if (role === 'assistant') {
    note(state, { model: fieldsOf(modelInfo)?.['id'] })
    const { model } = state.facts
    const parts = partsByType(replyBlocks, blocks)
    const counted = usageOf(fieldsOf(metrics) ?? {})
    reply(state, { parts, model, usage: counted, metadata: sourceOf(id) })
  } else if (role === 'user') {
    for (const block of blocks) if (block['type'] === 'tool_result') readResult(state, block)
    const own = isOwn(metadata)
    const rows = userBlocks(state.marked && !own)
    const said = blocks.flatMap((block) => {
      const row = rowFor(rows, block['type'])
      if (!row) return block['type'] === 'tool_result' ? [] : unknownBlock(block)
      return understood(block, row(block))
    })
    say(state, saidBy(own, said), sourceOf(id))
  }
}

/**
 * Whether Cline notes that it said a message itself. It notes the same where it has compacted, and
 * there the human's words remain.
 */
function isOwn({ kind, displayRole }: Fields): boolean {
  if (kind === 'compaction') return false
  return typeof kind === 'string' || ownRoles.has(displayRole)
}

const ownRoles: ReadonlySet<unknown> = new Set(['system', 'status', 'error'])

function userBlocks(marked: boolean): Rows<Fields, OriginPart[]> {
  return {
    text: (block) =>
      marked ? typedParts(textOf(block['text']) ?? '') : by('human', text(block['text'])),
    image: ({ data: from, mediaType }) =>
      nameOf(mediaType) ? by('human', media({ from, mediaType })) : [],
    file: (block) => madeParts(fileText(block)),
  }
}

/** A file that goes along, in the words that Cline gives to the model. */
function fileText({ path, content }: Fields): string {
  return `<file_content path="${textOf(path) ?? ''}">\n${textOf(content) ?? ''}\n</file_content>`
}

const replyBlocks: Rows<Fields, AssistantPart[]> = {
  text: (block) => text(block['text']),
  thinking: ({ thinking, signature }) => reasoning(thinking, sealed('anthropic', { signature })),
  redacted_thinking: ({ data }) => reasoning('', sealed('anthropic', { redactedData: data })),
  tool_use: ({ id, name, input, signature: thoughtSignature }) =>
    call(id, name, input, sealed('google', { thoughtSignature })),
}

function usageOf(metrics: Fields): ReturnType<typeof usage> {
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = metrics
  return usage({
    input: [inputTokens],
    output: [outputTokens],
    cacheRead: cacheReadTokens,
    cacheWrite: cacheWriteTokens,
  })
}

function readResult(state: State, block: Fields): void {
  const output = outputOf(block['content'], block['is_error'] === true)
  result(state, { toolCallId: block['tool_use_id'], output, toolName: nameOf(block['name']) })
}

/** Blocks, a text, or what the tool gave as it is, which a model gets as JSON. */
function outputOf(content: unknown, failed: boolean): ToolOutput {
  const blocks = objectsOf(content)
  const shown = blocks.length > 0 && blocks.every(({ type }) => rowFor(outputBlocks, type))
  if (!shown) {
    return textOutput(textOf(content) ?? operationsText(blocks) ?? jsonOf(content) ?? '', failed)
  }
  return outputOfPieces(partsByType(outputBlocks, blocks), failed, { cline: { failed } })
}

/** The single result of the single thing that a call of several asked for. */
function operationsText(operations: readonly Fields[]): string | undefined {
  const [only] = operations
  if (operations.length !== 1 || only?.['success'] !== true) return undefined
  return textOf(only['result'])
}

const outputBlocks: Rows<Fields, ToolOutputPart[]> = {
  file: (block) => outputText(fileText(block)),
  text: (block) => outputText(textOf(block['text']) ?? ''),
  image: ({ data: from, mediaType }) => (nameOf(mediaType) ? outputMedia({ from, mediaType }) : []),
}

const opening = /^\s*<(user_input|user_command)\b[^<>]{0,200}>/
const noticeStart = '<mode_notice>'
const noticeEnd = '</mode_notice>'

/** Whether a text holds what the human typed, as Cline hands it on. */
function isWrapped(text: string): boolean {
  return opening.test(behindNotices(text))
}

/**
 * A text in the user's place of a session in which Cline marks what the human typed: its first
 * element, up to its first end, for the files that follow may hold another one.
 */
function typedParts(text: string): OriginPart[] {
  const wrapped = behindNotices(text)
  const [tag = '', name = ''] = opening.exec(wrapped) ?? []
  if (tag === '') return text.trim() === '' ? [] : madeParts(text)
  const closing = `</${name}>`
  const end = wrapped.indexOf(closing, tag.length)
  const inner = wrapped.slice(tag.length, end < 0 ? undefined : end)
  const rest = end < 0 ? '' : wrapped.slice(end + closing.length)
  const typed = behindNotices(inner)
  return [
    ...notices(text.slice(0, text.length - wrapped.length)),
    ...notices(inner.slice(0, inner.length - typed.length)),
    ...(typed.startsWith(teamUpdates) ? madeParts(typed) : said(typed)),
    ...notices(rest),
  ]
}

/** What Cline says in the human's place when those to whom it gave work are done. */
const teamUpdates = 'System-delivered teammate async run updates:'

function said(text: string): OriginPart[] {
  return text === '' ? [] : [{ origin: 'human', part: { type: 'text', text } }]
}

function notices(text: string): OriginPart[] {
  return text.trim() === '' ? [] : madeParts(text)
}

/** The text behind the notices of a changed mode that it begins with. */
function behindNotices(text: string): string {
  let rest = text
  while (rest.trimStart().startsWith(noticeStart)) {
    const end = rest.indexOf(noticeEnd)
    if (end < 0) return rest
    rest = rest.slice(end + noticeEnd.length).replace(/^\n/, '')
  }
  return rest
}
