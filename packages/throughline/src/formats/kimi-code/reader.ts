import {
  addResult,
  closeResults,
  giveReply,
  givingHeld,
  type Reply,
  type Result,
} from '../conversation/conversation.ts'
import { assistantParts, partsOfContent, textsOf, toolOutput, wordsOf } from './parts.ts'
import {
  compact,
  countOmitted,
  isMessage,
  newSessionState,
  note,
  noteFirst,
  omit,
  pass,
  recordReader,
  rewind,
  say,
  seqsBetween,
  tailOf,
  type SessionState,
} from '../conversation/session-state.ts'
import { countOf, fieldsOf, nameOf, timeOf, type Fields } from '../../json/fields.ts'
import { rowFor, saidBy, sourceOf, usage } from '../conversation/parts.ts'
import type { AssistantPart } from '../../log/message.ts'
import type { FinishReason, Metadata, Seq } from '../../log/entry.ts'
import type { FormatReader } from '../format.ts'
import type { OriginPart } from '../conversation/user-messages.ts'

/** What is known while records are read. */
interface State extends SessionState {
  step: Step | undefined
  /** The messages of the context as Kimi counts them, oldest first. */
  context: Placed[]
}

/** A step that is being recorded: its results may come before the rest of its reply. */
interface Step {
  id: string
  parts: AssistantPart[]
  reply: Pick<Reply, 'usage' | 'finish'>
  results: Omit<Result, 'at'>[]
  /** What came while its calls were open. */
  behind: (() => void)[]
}

/** A message of the context, and the entries that it became. */
interface Placed {
  first: Seq
  last: Seq
  /** Kimi keeps words of the human in a compaction, and goes back to them. */
  is: 'prompt' | 'injection' | 'reply' | 'result' | 'summary'
  id?: string | undefined
}

/** A new reader for one `wire.jsonl`, or for the `context.jsonl` of an older Kimi CLI. */
export function kimiCodeReader(): FormatReader {
  return recordReader<State>(
    { ...newSessionState(), step: undefined, context: [] },
    readRecord,
    endStep,
    spoken,
  )
}

/** By its type, or as a piece of a reply, a result or a compaction. */
function spoken(type: string, record: Fields): boolean {
  const { part, result } = fieldsOf(record['event']) ?? {}
  const isPiece = (part ?? result ?? record['summary']) !== undefined
  return isPiece || type.startsWith('context.') || isMessage(record)
}

type Reads = (state: State, record: Fields) => void

function readRecord(state: State, record: Fields): void {
  const { type } = record
  if (typeof type !== 'string') return rowFor(oldMessages, record['role'])?.(state, record)
  state.at = timeOf(record['time']) ?? timeOf(record['created_at']) ?? state.at
  rowFor(records, type)?.(state, record)
}

const records: Readonly<Record<string, Reads>> = {
  'profile.bind': noteProfile,
  'config.update': noteProfile,
  // A compaction may ask another model.
  'llm.request': (state, { model, kind }) => note(state, kind === 'loop' ? { model } : {}),
  'context.append_message': (state, { message }) => readMessage(state, fieldsOf(message) ?? {}),
  'context.append_loop_event'(state, record) {
    const event = fieldsOf(record['event']) ?? {}
    rowFor(events, event['type'])?.(state, event)
  },
  'context.apply_compaction': readCompaction,
  'context.undo'(state, { count }) {
    endStep(state)
    goBackTo(state, countBefore(state, countOf(count) ?? 1))
  },
  'context.clear': (state) => goBackTo(state, 0),
}

function noteProfile(state: State, { systemPrompt: system, environmentDisclosure }: Fields): void {
  note(state, { system })
  noteFirst(state, { directory: fieldsOf(environmentDisclosure)?.['cwd'] })
}

const events: Readonly<Record<string, Reads>> = {
  // A step that was open is over.
  'step.begin'(state, { uuid }) {
    endStep(state)
    state.step = { id: nameOf(uuid) ?? '', parts: [], reply: {}, results: [], behind: [] }
  },
  'content.part': (state, event) => addParts(state, event, { content: [event['part']] }),
  'tool.call'(state, event) {
    const { toolCallId: id, name, args } = event
    addParts(state, event, { toolCalls: [{ id, name, args }] })
  },
  'tool.result'(state, { result, toolCallId }) {
    const given = fieldsOf(result) ?? {}
    readResult(state, { ...given, toolCallId }, given['output'])
  },
  'step.end'(state, { finishReason, usage: counts }) {
    const { step } = state
    // A step that was broken off goes on being open until the next one begins.
    if (!step || finishReason === 'interrupted' || finishReason === 'error') return
    step.reply = { usage: usageOf(fieldsOf(counts) ?? {}), finish: finishes.get(finishReason) }
    endStep(state)
  },
}

function addParts(state: State, { stepUuid }: Fields, message: Fields): void {
  const { step } = state
  if (!step || stepUuid !== step.id) return
  const parts = assistantParts(message)
  step.parts.push(...parts)
  if (parts.length > 0) pass(state)
}

const finishes = new Map<unknown, FinishReason>([
  ['end_turn', 'stop'],
  ['tool_use', 'tool-calls'],
  ['max_tokens', 'length'],
  ['filtered', 'content-filter'],
])

function usageOf({ inputOther, output, ...counts }: Fields): Reply['usage'] {
  const { inputCacheRead: cacheRead = 0, inputCacheCreation: cacheWrite = 0 } = counts
  return usage({
    input: [inputOther, cacheRead, cacheWrite],
    output: [output],
    cacheRead,
    cacheWrite,
  })
}

function readMessage(state: State, message: Fields): void {
  const { step } = state
  // Kimi puts what comes while calls are open behind their results.
  if (step && step.parts.some(({ type }) => type === 'tool-call') && message['role'] === 'user') {
    step.behind.push(() => readUser(state, message))
    return pass(state)
  }
  endStep(state)
  rowFor(messages, message['role'])?.(state, message)
}

const messages: Readonly<Record<string, Reads>> = {
  user: readUser,
  assistant: (state, message) => placeReply(state, { parts: assistantParts(message) }),
  tool: (state, message) => readResult(state, message, message['content']),
  system: (state) => omit(state, 'system'),
}

function readUser(state: State, message: Fields): void {
  const { kind, ownerPromptId, trigger } = fieldsOf(message['origin']) ?? {}
  const parts = partsOfContent(message['content'])
  if (kind === 'compaction_summary' && state.drafts.given === 0) {
    return placeCheckpoint(state, [], { summary: textsOf(parts).join('') })
  }
  const human = kind === undefined || kind === 'user'
  const id = nameOf(message['id']) ?? nameOf(ownerPromptId)
  const is = human || trigger === 'user-slash' ? 'prompt' : 'injection'
  placeUser(state, saidBy(!human, parts), { is, id }, sourceOf(id))
}

function readResult(state: State, fields: Fields, content: unknown): void {
  const toolCallId = nameOf(fields['toolCallId'])
  if (!toolCallId) return
  const result = { toolCallId, output: toolOutput(content, fields) }
  pass(state)
  if (state.step) state.step.results.push(result)
  else placeResult(state, result)
}

/** The newest prompts stay, and where those were too many, some of the oldest; before, the newest messages. */
function readCompaction(state: State, record: Fields): void {
  endStep(state)
  closeResults(state.conversation)
  const { context } = state
  const kept = countOf(record['keptUserMessageCount'])
  const compacted = countOf(record['compactedCount'] ?? record['count'])
  const summary = wordsOf(record['summary'] ?? record['contextSummary'])
  const about = { summary, preTokens: record['tokensBefore'] }
  if (record['legacyTail'] === true || kept === undefined) {
    return placeCheckpoint(state, context.slice(compacted ?? context.length), about)
  }
  const prompts = context.filter(({ is }) => is === 'prompt')
  const head = Math.min(countOf(record['keptHeadUserMessageCount']) ?? 0, kept)
  const tail = prompts.slice(Math.max(head, prompts.length - (kept - head)))
  placeCheckpoint(state, [...prompts.slice(0, head), ...tail], about)
}

/**
 * The lines of the `context.jsonl` that Kimi CLI wrote before it was rewritten as Kimi Code:
 * messages. A compaction began the file anew, with the summary as its first message.
 */
const oldMessages: Readonly<Record<string, Reads>> = {
  _system_prompt(state, { content: system }) {
    note(state, { system })
    pass(state)
  },
  user(state, { content }) {
    const parts = partsOfContent(content)
    const [first = '', ...others] = textsOf(parts)
    if (state.drafts.given === 0 && first.startsWith(compacted)) {
      return placeCheckpoint(state, [], { summary: others.join('\n') })
    }
    const noted = parts.map(({ origin, part }): OriginPart => {
      const own = part.type === 'text' && /^<system>[^]*<\/system>\s*$/.test(part.text)
      return { origin: own ? 'harness' : origin, part }
    })
    placeUser(state, saidBy(false, noted), { is: 'prompt' })
  },
  assistant: (state, message) => placeReply(state, { parts: assistantParts(message) }),
  tool(state, { tool_call_id: id, content }) {
    const [first = ''] = textsOf(partsOfContent(content))
    const output = toolOutput(content, { isError: first.startsWith('<system>ERROR: ') })
    const toolCallId = nameOf(id)
    if (toolCallId) placeResult(state, { toolCallId, output })
  },
}

const compacted = '<system>Previous context has been compacted.'

/** Gives the open step: its reply, its results, and what came while its calls were open. */
function endStep(state: State): void {
  const { step } = state
  state.step = undefined
  if (!step) return
  givingHeld(state.conversation, () => {
    placeReply(state, { parts: step.parts, ...step.reply })
    for (const result of step.results) placeResult(state, result)
    for (const message of step.behind) message()
  })
}

function placeReply(state: State, said: Omit<Reply, 'at' | 'model'>): void {
  const { conversation, drafts, at, facts, context } = state
  const given = giveReply(conversation, { ...said, at, model: facts.model })
  if (!given) return countOmitted(state, 'unfinished')
  context.push({ first: drafts.given, last: drafts.given, is: 'reply' })
}

/** The results of a step are one entry, which is given when none is missing. */
function placeResult(
  { conversation, drafts, at, context }: State,
  result: Omit<Result, 'at'>,
): void {
  addResult(conversation, { ...result, at })
  const seq = conversation.results.length > 0 ? drafts.given + 1 : drafts.given
  context.push({ first: seq, last: seq, is: 'result' })
}

/** Adds what stands in the user's place. */
function placeUser(
  state: State,
  parts: readonly OriginPart[],
  what: Pick<Placed, 'is' | 'id'>,
  metadata?: Metadata,
): void {
  closeResults(state.conversation)
  const first = state.drafts.given + 1
  if (say(state, parts, metadata).length === 0) return
  state.context.push({ first, last: state.drafts.given, ...what })
}

/** Goes back to where the context held so many messages. */
function goBackTo(state: State, count: number | undefined): void {
  endStep(state)
  closeResults(state.conversation)
  const first = count === undefined ? undefined : state.context[count]?.first
  if (first === undefined) return
  state.context.splice(count ?? 0)
  rewind(state, first - 1)
}

/** Going back so many prompts, never behind a compaction; how many messages then remain. */
function countBefore({ context }: State, prompts: number): number | undefined {
  let missing = prompts
  for (let index = context.length - 1; index >= 0; index--) {
    const placed = context[index]
    if (placed?.is === 'summary') return undefined
    if (placed?.is !== 'prompt' || --missing > 0) continue
    let count = index
    const ownedBy = (before: Placed | undefined): boolean =>
      placed.id !== undefined && before?.is === 'injection' && before.id === placed.id
    while (ownedBy(context[count - 1])) count--
    return count
  }
  return undefined
}

/** Puts a compaction in the place of the context, and of the messages that it keeps. */
function placeCheckpoint(
  state: State,
  kept: readonly Placed[],
  about: { summary: string; preTokens?: unknown },
): void {
  const seqs = new Set<Seq>()
  for (const { first, last, is } of kept) {
    // A checkpoint is never part of another one's tail, and no result is without its call.
    if (is === 'summary' || (is === 'result' && !seqs.has(first - 1) && !seqs.has(first))) continue
    for (const seq of seqsBetween(first, last)) seqs.add(seq)
  }
  const tail = tailOf([...seqs].slice(-longestTail))
  const seq = compact(state, { by: 'kimi-code', label: 'Kimi Code', tail, ...about })
  state.context = [...kept, { first: seq, last: seq, is: 'summary' }]
}

const longestTail = 500
