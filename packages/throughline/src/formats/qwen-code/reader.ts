import { addResult, closeResults, giveEntries, giveReply } from '../conversation/conversation.ts'
import {
  closeReply,
  fileCompaction,
  fileReply,
  fileResult,
  fileUnseen,
  fileUser,
  goBack,
  newTreeState,
  seqsIn,
  type TreeState,
} from '../conversation/tree-session.ts'
import { contentText, outputOf, partsOf, replyParts, userParts } from '../gemini-cli/parts.ts'
import { countOf, fieldsOf, nameOf, objectsOf, timeOf, type Fields } from '../../json/fields.ts'
import { modelNameOf } from '../writing/written-fields.ts'
import {
  isMessage,
  note,
  noteFirst,
  omit,
  recordReader,
  seqsBetween,
  tailOf,
} from '../conversation/session-state.ts'
import { rowFor, sourceOf, usage } from '../conversation/parts.ts'
import { userMessages } from '../conversation/user-messages.ts'
import type { AssistantPart } from '../../log/message.ts'
import type { FormatReader } from '../format.ts'
import type { Result } from '../conversation/conversation.ts'
import type { Seq, Usage } from '../../log/entry.ts'

/** What is known while a session is read. */
interface State extends TreeState {
  /**
   * By content: the unit that contains it. A compaction repeats what it keeps, and names no record
   * of it.
   */
  units: Map<string, number>
}

/** A fresh reader for one session file. */
export function qwenCodeReader(): FormatReader {
  const state = { ...newTreeState(), units: new Map<string, number>() }
  return recordReader<State>(state, readRecord, closeReply, isSpoken)
}

function isSpoken(type: string, record: Fields): boolean {
  const history = fieldsOf(record['systemPayload'])?.['compressedHistory']
  return (
    history !== undefined ||
    isMessage(record) ||
    (type !== 'system' && rowFor(records, type) !== undefined)
  )
}

function readRecord(state: State, record: Fields): void {
  const { parentUuid, type } = record
  const id = nameOf(record['uuid'])
  const row = rowFor(records, type)
  if (!id || !row) return
  const { tree } = state
  if (tree.unitOf.has(id)) return omit(state, 'duplicate')
  state.at = timeOf(record['timestamp']) ?? state.at
  const { sessionId, cwd: directory, contextWindowSize: window } = record
  note(state, { id: sessionId, model: modelNameOf(record['model']), window })
  noteFirst(state, { directory })
  if (record['subtype'] === 'custom_title') {
    note(state, { title: fieldsOf(record['systemPayload'])?.['customTitle'] })
  }
  if (isUnseen(record)) {
    // It may be off the path: it moves nothing, but others may follow it.
    const unit = parentUuid === null ? 0 : tree.unitOf.get(nameOf(parentUuid) ?? '')
    tree.unitOf.set(id, unit ?? tree.newest)
    return
  }
  goBack(state, parentUuid)
  row(state, record, partsOf(fieldsOf(record['message'])?.['parts']))
  tree.unitOf.set(id, tree.newest)
}

function isUnseen({ type, subtype, systemPayload }: Fields): boolean {
  if (type !== 'system') return subtype === 'realtime_message'
  const history = fieldsOf(systemPayload)?.['compressedHistory']
  return subtype !== 'chat_compression' || !Array.isArray(history)
}

type Reads = (state: State, record: Fields, parts: readonly Fields[]) => void

const records: Readonly<Record<string, Reads>> = {
  user(state, record, content) {
    const parts = userParts(content, isHarnessRecord(record))
    fileUser(state, parts, sourceOf(record['uuid']))
    for (const { part } of parts) {
      if (part.type === 'text') state.units.set(userKey(part.text), state.tree.newest)
    }
  },
  assistant(state, { uuid, model, usageMetadata }, content) {
    const parts = replyParts(content)
    fileReply(state, {
      parts,
      model: modelNameOf(model),
      usage: usageOf(fieldsOf(usageMetadata) ?? {}),
      metadata: sourceOf(uuid),
    })
    if (!state.reply) return
    for (const key of replyKeys(parts)) state.units.set(key, state.reply.unit)
  },
  tool_result(state, { uuid, toolCallResult }, content) {
    const status = fieldsOf(toolCallResult)?.['status']
    const results = resultsIn(content, status === 'error' || status === 'cancelled')
    for (const result of results) fileResult(state, { ...result, record: nameOf(uuid) })
    if (results.length === 0) fileUnseen(state)
  },
  system: readCompaction,
}

/** Whether the harness, not the human, made this user record. */
function isHarnessRecord({ subtype, provenance }: Fields): boolean {
  return harnessKinds.has(subtype) || harnessKinds.has(provenance)
}

const harnessKinds: ReadonlySet<unknown> = new Set([
  'system',
  'notification',
  'cron',
  'goal_control',
  'goal_runtime',
])

/**
 * The tokens of one reply. Some providers count thoughts as part of its text, and some separately.
 */
function usageOf(counts: Fields): Usage | undefined {
  const { promptTokenCount: input, cachedContentTokenCount: cacheRead } = counts
  const whole = (countOf(counts['totalTokenCount']) ?? -1) - (countOf(input) ?? 0)
  const output = whole >= 0 ? whole : counts['candidatesTokenCount']
  return usage({ input: [input], output: [output], cacheRead })
}

/** The results of calls among these parts; media after a response belong to it. */
function resultsIn(parts: readonly Fields[], failed: boolean): Omit<Result, 'at'>[] {
  const groups: Fields[][] = []
  for (const part of parts) {
    if (fieldsOf(part['functionResponse'])) groups.push([part])
    else if (part['text'] === undefined) groups.at(-1)?.push(part)
  }
  return groups.flatMap((group) => {
    const response = fieldsOf(group[0]?.['functionResponse'])
    const toolCallId = nameOf(response?.['id'])
    if (!toolCallId) return []
    return [{ toolCallId, toolName: nameOf(response?.['name']), output: outputOf(group, failed) }]
  })
}

/** Calls are identified by their ids, replies without calls by their text. */
function replyKeys(parts: readonly AssistantPart[]): string[] {
  const calls = parts.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : []))
  if (calls.length > 0) return calls.map(callKey)
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return texts.length > 0 ? [`model ${texts.join('\n')}`] : []
}

function callKey(id: string): string {
  return `call ${id}`
}

function userKey(text: string): string {
  return `user ${text}`
}

/**
 * Adds a compaction: the new text at the beginning is its summary, the repeated messages are its
 * tail, and anything else it inserted is added as restored.
 */
function readCompaction(state: State, { uuid: id, systemPayload }: Fields): void {
  closeReply(state)
  const payload = fieldsOf(systemPayload)
  const history = objectsOf(payload?.['compressedHistory'])
  const [first, second] = history
  // The text in the user's role, and its acknowledgment.
  const acknowledged = contentText(second?.['parts']).startsWith(acknowledgment)
  const front = first?.['role'] !== 'user' ? 0 : acknowledged ? 2 : 1
  const kept = history.slice(front).flatMap((content) => seqsOf(state, content))
  kept.push(...given(state, () => closeResults(state.conversation)))
  state.conversation.open.clear()
  // Each once, where it stands last.
  const seqs = [...new Set(kept.toReversed())].slice(0, longestTail).toReversed()
  fileCompaction(state, {
    by: 'qwen-code',
    label: 'Qwen Code',
    summary: front > 0 ? contentText(first?.['parts']) : '',
    tail: tailOf(seqs),
    preTokens: fieldsOf(payload?.['info'])?.['originalTokenCount'],
    id,
  })
}

const acknowledgment = 'Got it. Thanks for the additional context!'
const longestTail = 2000

/** The positions of a content that was kept; a content without any is added. */
function seqsOf(state: State, { role, parts: content }: Fields): Seq[] {
  const parts = partsOf(content)
  const { conversation, units, at } = state
  const metadata = { restored: true }
  const known = (unit: number | undefined, giving: () => void): Seq[] =>
    unit === undefined ? given(state, giving) : seqsIn(state.tree, [unit])
  if (role === 'model') {
    const said = replyParts(parts)
    const [key = ''] = replyKeys(said)
    return known(units.get(key), () => giveReply(conversation, { at, parts: said, metadata }))
  }
  // Results are in the unit of their call.
  const results = resultsIn(parts, false).flatMap((result) =>
    units.has(callKey(result.toolCallId))
      ? []
      : given(state, () => addResult(conversation, { ...result, at })),
  )
  const texts = parts.filter((part) => typeof part['text'] === 'string')
  const users = texts.flatMap((part) => {
    const said = userParts([part])
    const keys = said.flatMap((each) =>
      each.part.type === 'text' ? [userKey(each.part.text)] : [],
    )
    const unit = keys.map((key) => units.get(key)).find((each) => each !== undefined)
    return known(unit, () => giveEntries(conversation, userMessages(said, at, metadata)))
  })
  return [...results, ...users]
}

/** The entries that this adds. */
function given({ drafts }: State, giving: () => void): Seq[] {
  const first = drafts.given + 1
  giving()
  return seqsBetween(first, drafts.given)
}
