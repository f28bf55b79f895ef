import { omit } from '../omitted.ts'
import { recordReader } from '../conversation/session-state.ts'
import { fieldsOf, nameOf, textOf, timeOf, type Fields } from '../../json/fields.ts'
import { give } from '../reading/grown-log.ts'
import { userMessages, type OriginPart } from '../conversation/user-messages.ts'
import {
  attachmentParts,
  queuedText,
  queueOperation,
  sawQueued,
  takeQueued,
  userContent,
} from './user-parts.ts'
import {
  branchPoint,
  enter,
  enterUnseen,
  isKnown,
  spanUnit,
  startUnit,
  closeReply,
  giveMessages,
  giveResults,
  goBack,
  newState,
  type State,
} from './state.ts'
import { checkpointDraft, preservedTail, pruneDraft } from './compaction.ts'
import { isCaveat, isHarnessRecord, isInterruption, textParts } from './origin.ts'
import { boundaryOf, enterCopies, replacedBy, takeCopy } from './replaced.ts'
import { noteOriginal } from './originals.ts'
import { addBlocks, belongsTo, newReply, nobodysModel } from './reply.ts'
import { toolOutput } from './tool-output.ts'
import { readSummaryBlock } from '../../compaction/render/summary-block.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { FormatReader, SessionFacts } from '../format.ts'
import type { Usage } from '../../log/entry.ts'

/** A new reader for one transcript. */
export function claudeCodeReader(ledger?: Ledger): FormatReader {
  return recordReader(newState(ledger), readRecord, (state) => {
    finishReplaced(state)
    finishBoundary(state)
    closeReply(state)
    giveQueued(state)
  })
}

function readRecord(state: State, record: Fields): void {
  if (record['isSidechain'] === true) return omit(state, 'sidechain')
  if (isKnown(state.chain, record)) return omit(state, 'duplicate')
  if (state.replaced && takeCopy(state.replaced, record, state.originals)) return
  if (state.replaced && record['type'] === 'attachment') {
    state.boundary?.held.push(record)
    return
  }
  if (isMessage(record)) finishReplaced(state)
  noteOriginal(state.originals, record)
  state.at = timeOf(record['timestamp']) ?? state.at
  readFacts(state, record)
  switch (record['type']) {
    case 'assistant':
      return readAssistant(state, record)
    case 'user':
      return readUser(state, record)
    case 'attachment':
      if (state.boundary) return void state.boundary.held.push(record)
      return readAttachment(state, record)
    case 'system':
      return readSystem(state, record)
    case 'queue-operation':
      return queueOperation(state.queued, record)
    case 'progress':
      return enter(state.chain, record)
    default:
      return enterUnseen(state.chain, record)
  }
}

function readFacts(state: State, record: Fields): void {
  const id = nameOf(record['sessionId'])
  const directory = nameOf(record['cwd'])
  if (id) state.facts.id = id
  if (directory) state.facts.directory ??= directory
  if (record['type'] === 'custom-title') readTitle(state, record)
}

function readTitle({ facts }: State, { customTitle }: Fields): void {
  const title = nameOf(customTitle)
  if (title) facts.title = title
}

function readAssistant(state: State, record: Fields): void {
  if (record['isApiErrorMessage'] === true || record['isVirtual'] === true) {
    omit(state, 'client-message')
    return enterUnseen(state.chain, record)
  }
  finishBoundary(state)
  if (!state.reply || !belongsTo(state.reply, record)) {
    closeReply(state)
    goBack(state, record)
    giveQueued(state)
    state.reply = newReply(record, startUnit(state.chain), state.at)
  }
  enter(state.chain, record)
  for (const { id, name } of addBlocks(state.reply, record)) state.tools.set(id, name)
  const { model, usage } = state.reply
  if (!model || model === nobodysModel) return
  state.facts.model = model
  noteWindow(state.facts, model, usage)
}

function readUser(state: State, record: Fields): void {
  if (record['isVirtual'] === true) {
    omit(state, 'client-message')
    return enterUnseen(state.chain, record)
  }
  const content = fieldsOf(record['message'])?.['content']
  if (record['isCompactSummary'] === true) return readSummary(state, record, content)
  if (state.boundary) {
    const { ledger, boundary } = state
    const text = textOf(content) ?? ''
    state.replaced = replacedBy(record, text, { boundary: boundary.record, ledger })
    if (state.replaced) return
  }
  finishBoundary(state)
  const { results, parts } = userContent(
    content,
    isHarnessRecord(record) || isOfClient(state, content),
    state.tools,
  )
  for (const block of results) readResult(state, record, block)
  if (parts.length > 0) readMessage(state, record, parts)
  else enter(state.chain, record)
}

/** A command behind a caveat was given to Claude Code itself, whatever its arguments say. */
function isOfClient(state: State, content: unknown): boolean {
  const text = textOf(content) ?? ''
  const command = state.caveat && text.trimStart().startsWith('<command-name>')
  state.caveat = isCaveat(text)
  return command
}

function readResult(state: State, record: Fields, block: Fields): void {
  const toolCallId = nameOf(block['tool_use_id'])
  if (!toolCallId) return
  const toolName = state.tools.get(toolCallId) ?? 'unknown'
  const result = { type: 'tool-result' as const, toolCallId, toolName, output: toolOutput(block) }
  const uuid = nameOf(record['uuid'])
  const { reply } = state
  if (reply?.open.delete(toolCallId)) {
    reply.results.push(result)
    reply.resultsAt = state.at
    if (uuid) reply.resultRecords.push(uuid)
  } else {
    // The reply that it answers came long ago; added now, it still comes before the next one.
    giveResults(state, [result], state.at, uuid ? [uuid] : [])
  }
}

/** A user's message that isn't a result: from the human, from the harness, or from both. */
function readMessage(state: State, record: Fields, parts: readonly OriginPart[]): void {
  const { reply, chain } = state
  const uuid = nameOf(record['uuid'])
  const drafts = userMessages(parts, state.at, uuid ? { source: { records: [uuid] } } : undefined)
  noteTexts(state, parts)
  const human = parts.some(({ origin }) => origin === 'human')
  if (!human && reply && reply.open.size > 0 && branchPoint(chain, record) === undefined) {
    reply.after.push({ unit: startUnit(chain), drafts })
    return enter(chain, record)
  }
  closeReply(state)
  goBack(state, record)
  const unit = startUnit(chain)
  enter(chain, record)
  giveMessages(state, unit, drafts)
}

function noteTexts(state: State, parts: readonly OriginPart[]): void {
  for (const { origin, part } of parts) {
    if (part.type !== 'text') continue
    if (origin === 'human') sawQueued(state.queued, part.text)
    else if (state.reply && isInterruption(part.text)) state.reply.interrupted = true
  }
}

function readAttachment(state: State, record: Fields): void {
  const parts = attachmentParts(record)
  const queued = queuedText(record)
  if (queued !== undefined) sawQueued(state.queued, queued)
  if (parts.length > 0) readMessage(state, record, parts)
  else enterUnseen(state.chain, record)
}

function readSystem(state: State, record: Fields): void {
  switch (record['subtype']) {
    case 'compact_boundary':
      finishBoundary(state)
      state.boundary = { record, held: [] }
      return
    case 'microcompact_boundary':
      return readPrune(state, record)
    case 'local_command': {
      const parts = textParts(textOf(record['content']) ?? '', true)
      return parts.length > 0 ? readMessage(state, record, parts) : enterUnseen(state.chain, record)
    }
    default:
      return enterUnseen(state.chain, record)
  }
}

function readPrune(state: State, record: Fields): void {
  closeReply(state)
  enterUnseen(state.chain, record)
  const draft = pruneDraft(record, state.at, state.drafts.given, state.results)
  if (draft) give(state.drafts, draft)
}

function readSummary(state: State, record: Fields, content: unknown): void {
  const { parts } = userContent(content, true, state.tools)
  const texts = parts.flatMap(({ part }) => (part.type === 'text' ? [part.text] : []))
  giveCheckpoint(state, texts.join('\n'), record)
}

function isMessage({ type }: Fields): boolean {
  return type === 'user' || type === 'assistant' || type === 'system'
}

/** What was kept is what was said before: the copies say nothing new. */
function finishReplaced(state: State): void {
  const { replaced, boundary } = state
  if (!replaced) return
  state.replaced = undefined
  state.boundary = { record: boundaryOf(replaced, state.originals), held: boundary?.held ?? [] }
  giveCheckpoint(state, readSummaryBlock(replaced.text), replaced.summary, true)
  enterCopies(state.chain, replaced)
}

/** A compaction that never got its summary still happened. */
function finishBoundary(state: State): void {
  if (state.boundary) giveCheckpoint(state, undefined, undefined)
}

function giveCheckpoint(
  state: State,
  summary: string | undefined,
  record: Fields | undefined,
  ours = false,
): void {
  closeReply(state)
  const { chain, boundary } = state
  state.boundary = undefined
  const base = state.drafts.given
  const tail = preservedTail(chain, boundary?.record)
  give(
    state.drafts,
    checkpointDraft({ at: state.at, base, summary, boundary: boundary?.record, tail, ours }),
  )
  // Its span stays empty: a checkpoint is never part of another one's tail.
  const unit = startUnit(chain)
  spanUnit(chain, unit, state.drafts.given + 1, state.drafts.given)
  chain.floor = unit
  if (boundary) enter(chain, boundary.record)
  if (record) enter(chain, record)
  for (const held of boundary?.held ?? []) readAttachment(state, held)
}

/** Words that were delivered while the model worked, and that no record contains. */
function giveQueued(state: State): void {
  for (const text of takeQueued(state.queued)) {
    const drafts = userMessages(textParts(text, false), state.at, { source: { records: [] } })
    giveMessages(state, startUnit(state.chain), drafts)
  }
}

// Claude Code 2.1 runs its models with 200,000 tokens, or with a million if that is set.
const usual = 200_000
const large = 1_000_000

/**
 * Notes the window that a reply reveals, in tokens. The records name none; a request larger than
 * the usual window proves the large one.
 */
function noteWindow(facts: SessionFacts, model: string, usage: Usage | undefined): void {
  if (!model.startsWith('claude')) return
  const seen = usage !== undefined && usage.inputTokens > usual
  facts.window = seen || facts.window === large ? large : usual
}
