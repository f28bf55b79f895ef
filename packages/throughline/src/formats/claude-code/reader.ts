import {
  addResult,
  answerStep,
  giveEntries,
  giveStep,
  givingHeld,
  growStep,
} from '../conversation/conversation.ts'
import { newStep, type Step } from '../conversation/conversation.ts'
import {
  attachmentParts,
  isForClient,
  queuedText,
  replyParts,
  toolOutput,
  userContent,
} from './parts.ts'
import { boundaryOf, noteOriginal, replacedBy, takeCopy } from './copies.ts'
import {
  cleared,
  compact,
  note,
  noteFirst,
  noteResults,
  omit,
  pass,
  prune,
  recordReader,
  rewind,
  tailOf,
  type Results,
} from '../conversation/session-state.ts'
import {
  countOf,
  fieldsOf,
  listOf,
  nameOf,
  textOf,
  timeOf,
  type Fields,
} from '../../json/fields.ts'
import { finishOf, usageOf } from '../../wires/anthropic/wire.ts'
import { isCaveat, isHarnessRecord, isInterruption, textParts } from './origin.ts'
import {
  newTreeState,
  seqsIn,
  spanUnit,
  startUnit,
  unitsBetween,
  type TreeState,
} from '../conversation/tree-session.ts'
import { queueOperation, sawQueued, type Queue } from './queue.ts'
import { readSummaryBlock } from '../../compaction/render/summary-block.ts'
import { rowFor, sourceOf } from '../conversation/parts.ts'
import { userMessages, type OriginPart } from '../conversation/user-messages.ts'
import { modelNameOf } from '../writing/written-fields.ts'
import type { FormatReader, SessionFacts } from '../format.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { MessageDraft, Metadata, Usage } from '../../log/entry.ts'
import type { Originals, Replaced } from './copies.ts'

/** What is known while a transcript is being read. */
interface State extends TreeState {
  /** What Throughline wrote into transcripts. */
  ledger: Ledger | undefined
  /** The newest compaction: the view never goes back before it. */
  floor: number
  /** Whether records name parents at all. */
  linked: boolean
  queue: Queue
  /** The reply that may still get blocks or results, and the records that it is made of. */
  step: (Step & { unit: number; records: string[] }) | undefined
  results: Results
  /** A compaction whose summary hasn't come yet, and what came since. */
  boundary: { record: Fields; held: Fields[] } | undefined
  /** A compaction of ours whose kept messages are still coming. */
  replaced: Replaced | undefined
  /** Records by what their copies share with them. */
  originals: Originals
  /** The newest record says that what follows was said to Claude Code itself. */
  caveat: boolean
}

export function claudeCodeReader(ledger?: Ledger): FormatReader {
  const results: Results = new Map()
  const state: State = {
    ...newTreeState((seq, draft) => noteResults(results, seq, draft)),
    ledger,
    floor: 0,
    linked: false,
    queue: { waiting: [], taken: [], seen: [] },
    step: undefined,
    results,
    boundary: undefined,
    replaced: undefined,
    originals: { byKey: new Map(), byText: new Map(), count: 0 },
    caveat: false,
  }
  const finish = (): void => {
    finishReplaced(state)
    finishBoundary(state)
    closeStep(state)
    giveQueued(state)
  }
  return recordReader(state, readRecord, finish, spoken)
}

/**
 * What people queue is attached; other attachments are Claude Code's own. So are copies of what it
 * asked the provider: what is said has an id in the tree of the session.
 */
function spoken(type: string, record: Fields): boolean {
  const { uuid, message, attachment } = record
  if (type === 'user' || type === 'assistant') return true
  if (uuid !== undefined && fieldsOf(message)?.['content']) return true
  const { type: kind, prompt } = fieldsOf(attachment) ?? {}
  if (prompt !== undefined || kind === 'queued_command') return true
  return type === 'attachment' && typeof kind !== 'string'
}

type Reads = (state: State, record: Fields) => void

const records: Readonly<Record<string, Reads>> = {
  assistant: readAssistant,
  user: readUser,
  attachment: readAttachment,
  system: (state, record) => (rowFor(systems, record['subtype']) ?? enterUnseen)(state, record),
  'queue-operation': ({ queue }, record) => queueOperation(queue, record),
  progress: enter,
}

const systems: Readonly<Record<string, Reads>> = {
  compact_boundary(state, record) {
    finishBoundary(state)
    state.boundary = { record, held: [] }
  },
  microcompact_boundary: readPrune,
  local_command(state, record) {
    const parts = textParts(textOf(record['content']) ?? '', true)
    if (parts.length > 0) readMessage(state, record, parts)
    else enterUnseen(state, record)
  },
}

function readRecord(state: State, record: Fields): void {
  const { type, uuid } = record
  if (record['isSidechain'] === true) return omit(state, 'sidechain')
  if (state.tree.unitOf.has(nameOf(uuid) ?? '')) return omit(state, 'duplicate')
  if (state.replaced && takeCopy(state.replaced, record, state.originals)) return pass(state)
  if (state.replaced && type === 'attachment') return holdAttachment(state, record)
  if (type === 'user' || type === 'assistant' || type === 'system') finishReplaced(state)
  noteOriginal(state.originals, record)
  state.at = timeOf(record['timestamp']) ?? state.at
  note(state, { id: record['sessionId'] })
  noteFirst(state, { directory: record['cwd'] })
  if (type === 'custom-title') note(state, { title: record['customTitle'] })
  ;(rowFor(records, type) ?? enterUnseen)(state, record)
}

function readAssistant(state: State, record: Fields): void {
  if (record['isApiErrorMessage'] === true || isVirtual(state, record)) {
    return leaveOut(state, record)
  }
  finishBoundary(state)
  const message = fieldsOf(record['message'])
  const id = nameOf(message?.['id'])
  if (!state.step || !belongsTo(state.step, id)) {
    closeStep(state)
    goBack(state, record)
    givingHeld(state.conversation, () => giveQueued(state))
    state.step = { ...newStep(id, state.at), unit: startUnit(state.tree), records: [] }
  }
  enter(state, record)
  const { step } = state
  growStep(state.conversation, step, replyParts(message?.['content']))
  step.records.push(...namesIn(record['uuid']))
  step.model = modelNameOf(message?.['model']) ?? step.model
  // Every record repeats the reply's usage; the last one has the final count.
  step.usage = usageOf(message?.['usage']) ?? step.usage
  step.finish = finishOf(message?.['stop_reason']) ?? step.finish
  const { model, usage } = step
  if (!model || model === nobodysModel) return
  note(state, { model })
  noteWindow(state.facts, model, usage)
}

/** What the client calls the model where it spoke for it. */
export const nobodysModel = '<synthetic>'

/** What the client shows the human alone. */
function isVirtual(_: State, record: Fields): boolean {
  return record['isVirtual'] === true
}

function leaveOut(state: State, record: Fields): void {
  omit(state, 'client-message')
  enterUnseen(state, record)
}

/** Whether a record with this id is another block of the reply. */
function belongsTo(step: Step, id: string | undefined): boolean {
  return id === undefined ? step.id === undefined && step.results.length === 0 : id === step.id
}

function namesIn(value: unknown): string[] {
  return [nameOf(value) ?? []].flat()
}

function readUser(state: State, record: Fields): void {
  if (isVirtual(state, record)) return leaveOut(state, record)
  const content = fieldsOf(record['message'])?.['content']
  if (record['isCompactSummary'] === true) return readSummary(state, record, content)
  if (state.boundary) {
    const { ledger, boundary } = state
    const text = textOf(content) ?? ''
    state.replaced = replacedBy(record, text, { boundary: boundary.record, ledger })
    if (state.replaced) return pass(state)
  }
  finishBoundary(state)
  const harness = isHarnessRecord(record) || isOfClient(state, content)
  const { results, parts } = userContent(content, harness, state.conversation.tools)
  for (const block of results) readResult(state, record, block)
  if (parts.length > 0) readMessage(state, record, parts)
  else enter(state, record)
}

/** A command behind a caveat was given to Claude Code itself, whatever its arguments say. */
function isOfClient(state: State, content: unknown): boolean {
  const text = textOf(content) ?? ''
  const command = state.caveat && text.trimStart().startsWith('<command-name>')
  state.caveat = isCaveat(text)
  return command
}

/** A result of a reply that came long ago still comes before the next one. */
function readResult(state: State, record: Fields, block: Fields): void {
  const toolCallId = nameOf(block['tool_use_id'])
  if (!toolCallId) return
  const given = {
    at: state.at,
    toolCallId,
    output: toolOutput(block),
    record: nameOf(record['uuid']),
  }
  if (!answerStep(state.conversation, state.step, given)) addResult(state.conversation, given)
}

/** A user's message that isn't a result: from the human, from the harness, or from both. */
function readMessage(state: State, record: Fields, parts: readonly OriginPart[]): void {
  const { step, tree } = state
  const drafts = userMessages(parts, state.at, sourceOf(record['uuid']))
  noteTexts(state, parts)
  const human = parts.some(({ origin }) => origin === 'human')
  if (!human && step && step.open.size > 0 && branchPoint(state, record) === undefined) {
    const unit = startUnit(tree)
    step.after.push(() => giveMessages(state, unit, drafts))
    pass(state)
    return enter(state, record)
  }
  closeStep(state)
  goBack(state, record)
  const unit = startUnit(tree)
  enter(state, record)
  giveMessages(state, unit, drafts)
}

function noteTexts({ queue, step }: State, parts: readonly OriginPart[]): void {
  for (const { origin, part } of parts) {
    if (part.type !== 'text') continue
    if (origin === 'human') sawQueued(queue, part.text)
    else if (step && isInterruption(part.text)) step.interrupted = true
  }
}

function readAttachment(state: State, record: Fields): void {
  if (state.boundary) return holdAttachment(state, record)
  const parts = attachmentParts(record)
  const queued = queuedText(record)
  if (queued !== undefined) sawQueued(state.queue, queued)
  if (parts.length > 0) return readMessage(state, record, parts)
  if (isForClient(record)) pass(state)
  enterUnseen(state, record)
}

function holdAttachment(state: State, record: Fields): void {
  state.boundary?.held.push(record)
  pass(state)
}

/** A micro-compaction: the results that it cleared become placeholders. */
function readPrune(state: State, record: Fields): void {
  closeStep(state)
  enterUnseen(state, record)
  const metadata = fieldsOf(record['microcompactMetadata'])
  const ids = new Set(listOf(metadata?.['compactedToolIds']).map((id) => nameOf(id) ?? ''))
  const found = [...ids].flatMap((id) => state.results.get(id) ?? [])
  const time = { compacted: state.at }
  prune(state, found.map(cleared), { ...boundaryMetadata(metadata, record), time })
}

function readSummary(state: State, record: Fields, content: unknown): void {
  const { parts } = userContent(content, true, state.conversation.tools)
  const texts = parts.flatMap(({ part }) => (part.type === 'text' ? [part.text] : []))
  giveCheckpoint(state, texts.join('\n'), record)
}

/** What was kept is what was said before: the copies say nothing new. */
function finishReplaced(state: State): void {
  const { replaced, boundary } = state
  if (!replaced) return
  state.replaced = undefined
  state.boundary = { record: boundaryOf(replaced, state.originals), held: boundary?.held ?? [] }
  givingHeld(state.conversation, () =>
    giveCheckpoint(state, readSummaryBlock(replaced.text), replaced.summary, true),
  )
  // What comes later names a copy as its parent.
  for (const { record } of replaced.copies) enterUnseen(state, record)
}

/** A compaction that never got its summary still happened. */
function finishBoundary(state: State): void {
  if (!state.boundary) return
  givingHeld(state.conversation, () => giveCheckpoint(state, undefined, undefined))
}

/** Adds a compaction; `ours` was made by a hooks module of ours, out of this very log. */
function giveCheckpoint(
  state: State,
  summary: string | undefined,
  record: Fields | undefined,
  ours = false,
): void {
  closeStep(state)
  const { tree, boundary } = state
  state.boundary = undefined
  const about = fieldsOf(boundary?.record['compactMetadata'])
  compact(state, {
    by: ours ? 'throughline' : 'claude-code',
    label: 'Claude Code',
    summary,
    tail: tailOf(seqsIn(tree, preservedUnits(state, about)).slice(-longestTail)),
    metadata: { ...boundaryMetadata(about, boundary?.record), ...(ours && { rung: 'model' }) },
  })
  // Its span stays empty: a checkpoint is never part of another one's tail.
  state.floor = startUnit(tree)
  for (const entered of [boundary?.record, record]) if (entered) enter(state, entered)
  for (const held of boundary?.held ?? []) readAttachment(state, held)
}

const longestTail = 2000

/** What a compaction kept word for word, as far as it was read. */
function preservedUnits({ tree }: State, metadata: Fields | undefined): number[] {
  const unitOf = (uuid: unknown): number | undefined => tree.unitOf.get(nameOf(uuid) ?? '')
  const messages = fieldsOf(metadata?.['preservedMessages'])
  const named = listOf(messages?.['allUuids'] ?? messages?.['uuids'])
  const units = new Set(named.flatMap((uuid) => unitOf(uuid) ?? []))
  if (units.size > 0) return [...units].sort((one, other) => one - other)
  const segment = fieldsOf(metadata?.['preservedSegment'])
  const [head, tail] = [unitOf(segment?.['headUuid']), unitOf(segment?.['tailUuid'])]
  return head === undefined || tail === undefined ? [] : unitsBetween(tree, head, tail)
}

function boundaryMetadata(metadata: Fields | undefined, record: Fields | undefined): Metadata {
  const trigger = nameOf(metadata?.['trigger'])
  const preTokens = countOf(metadata?.['preTokens'])
  const tokensSaved = countOf(metadata?.['tokensSaved'])
  return {
    ...(trigger && { trigger }),
    ...(preTokens !== undefined && { preTokens }),
    ...(tokensSaved !== undefined && { tokensSaved }),
    ...sourceOf(record?.['uuid']),
  }
}

/** Words that were delivered while the model worked, and that no record contains. */
function giveQueued(state: State): void {
  for (const text of state.queue.taken.splice(0)) {
    const drafts = userMessages(textParts(text, false), state.at, { source: { records: [] } })
    giveMessages(state, startUnit(state.tree), drafts)
  }
}

/** Adds the open reply, its results and what followed them: it gets nothing more. */
function closeStep(state: State): void {
  const { step, drafts, conversation } = state
  if (!step) return
  state.step = undefined
  const first = drafts.given + 1
  const { model, records: of, id } = step
  step.metadata = { source: { records: of, ...(id && { message: id }) } }
  const synthetic = model === nobodysModel
  if (synthetic) Object.assign(step, { origin: 'synthetic', model: undefined })
  givingHeld(conversation, () => {
    if (!giveStep(conversation, step)) omit(state, 'unfinished')
    spanUnit(state.tree, step.unit, first, drafts.given)
    for (const giveNext of step.after) giveNext()
  })
}

function giveMessages(state: State, unit: number, drafts: readonly MessageDraft[]): void {
  const first = state.drafts.given + 1
  giveEntries(state.conversation, drafts)
  spanUnit(state.tree, unit, first, state.drafts.given)
}

/** If this record follows an older one than the newest, the view goes back to that one first. */
function goBack(state: State, record: Fields): void {
  const unit = branchPoint(state, record)
  if (unit === undefined) return
  const to = state.tree.last[unit] ?? 0
  // The model saw nothing in between, so there is nothing to go back over.
  if (to < state.drafts.given) rewind(state, to)
  state.tree.newest = unit
}

/**
 * The unit that a record goes back to, or `undefined` if it follows the newest one. Parallel calls
 * and their results branch inside one unit, so only a record whose parent is in an older unit shows
 * that the human went back.
 */
function branchPoint({ tree, floor, linked }: State, record: Fields): number | undefined {
  const parent = record['parentUuid']
  const root = parent === null && linked
  const unit = root ? 0 : typeof parent === 'string' ? tree.unitOf.get(parent) : undefined
  return unit !== undefined && unit < tree.newest && unit >= floor ? unit : undefined
}

/** Adds a record to the newest unit. */
function enter(state: State, record: Fields): void {
  const uuid = nameOf(record['uuid'])
  if (uuid !== undefined) state.tree.unitOf.set(uuid, state.tree.newest)
  if (typeof record['parentUuid'] === 'string') state.linked = true
}

/** Adds a record that the model doesn't see to its parent's unit. */
function enterUnseen({ tree }: State, record: Fields): void {
  const uuid = nameOf(record['uuid'])
  const unit = tree.unitOf.get(nameOf(record['parentUuid']) ?? '')
  if (uuid !== undefined) tree.unitOf.set(uuid, unit ?? tree.newest)
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
