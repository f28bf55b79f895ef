import { omit } from '../conversation/session-state.ts'
import { recordReader } from '../conversation/session-state.ts'
import {
  boundedValue,
  countOf,
  fieldsOf,
  nameOf,
  objectsOf,
  textOf,
  timeOf,
} from '../../json/fields.ts'
import { beginStep, countBefore, endStep, goBackTo, newState } from './state.ts'
import { placeCheckpoint, placeReply, placeResult, placeUsers, type State } from './state.ts'
import { closeResults } from '../conversation/conversation.ts'
import { readOldMessage } from './old-messages.ts'
import { saidInParts } from '../conversation/user-messages.ts'
import { assistantParts, partsOfContent, toolOutput } from './parts.ts'
import { userMessages } from '../conversation/user-messages.ts'
import type { Fields } from '../../json/fields.ts'
import type { FormatReader } from '../format.ts'
import type { FinishReason, Usage } from '../../log/entry.ts'

/** A new reader for one `wire.jsonl`, or for the `context.jsonl` of an older Kimi CLI. */
export function kimiCodeReader(): FormatReader {
  return recordReader(newState(), readRecord, (state) => {
    endStep(state)
    closeResults(state.conversation)
  })
}

function readRecord(state: State, record: Fields): void {
  const { type } = record
  if (typeof type !== 'string') return readOldMessage(state, record)
  state.at = timeOf(record['time']) ?? timeOf(record['created_at']) ?? state.at
  switch (type) {
    case 'profile.bind':
    case 'config.update':
      return noteProfile(state, record)
    case 'llm.request':
      return noteModel(state, record)
    case 'context.append_message':
      return readMessage(state, fieldsOf(record['message']) ?? {})
    case 'context.append_loop_event':
      return readEvent(state, fieldsOf(record['event']) ?? {})
    case 'context.apply_compaction':
      return readCompaction(state, record)
    case 'context.undo': {
      endStep(state)
      const count = countBefore(state, countOf(record['count']) ?? 1)
      return count === undefined ? undefined : goBackTo(state, count)
    }
    case 'context.clear':
      return goBackTo(state, 0)
  }
}

function noteProfile({ facts }: State, record: Fields): void {
  const system = nameOf(record['systemPrompt'])
  const directory = nameOf(fieldsOf(record['environmentDisclosure'])?.['cwd'])
  if (system) facts.system = system
  if (directory) facts.directory ??= directory
}

/** A compaction may ask another model. */
function noteModel({ facts }: State, record: Fields): void {
  const model = nameOf(record['model'])
  if (model && record['kind'] === 'loop') facts.model = model
}

function readMessage(state: State, message: Fields): void {
  const { step } = state
  // Kimi puts what comes while calls are open behind their results.
  if (step && step.parts.some(({ type }) => type === 'tool-call') && message['role'] === 'user') {
    step.behind.push(() => readUser(state, message))
    return
  }
  endStep(state)
  switch (message['role']) {
    case 'user':
      return readUser(state, message)
    case 'assistant':
      return placeReply(state, { parts: assistantParts(message) })
    case 'tool':
      return readResult(state, message, message['content'])
    case 'system':
      return omit(state, 'system')
  }
}

function readUser(state: State, message: Fields): void {
  const origin = fieldsOf(message['origin']) ?? {}
  const { kind } = origin
  const parts = partsOfContent(message['content'])
  const first = state.drafts.given === 0
  if (kind === 'compaction_summary' && first) {
    const text = parts.map(({ part }) => (part.type === 'text' ? part.text : '')).join('')
    return placeCheckpoint(state, [], { text, preTokens: undefined })
  }
  const human = kind === undefined || kind === 'user'
  const said = human
    ? saidInParts(parts)
    : parts.map(({ part }) => ({ origin: 'harness', part }) as const)
  const id = nameOf(message['id']) ?? nameOf(origin['ownerPromptId'])
  const is = human || origin['trigger'] === 'user-slash' ? 'prompt' : 'injection'
  placeUsers(state, userMessages(said, state.at, id ? { source: { records: [id] } } : undefined), {
    is,
    id,
  })
}

function readEvent(state: State, event: Fields): void {
  const { step } = state
  const mine = step !== undefined && event['stepUuid'] === step.id
  switch (event['type']) {
    case 'step.begin':
      return beginStep(state, nameOf(event['uuid']) ?? '')
    case 'content.part':
      if (mine) step.parts.push(...assistantParts({ content: [event['part']] }))
      return
    case 'tool.call': {
      const { toolCallId: id, name, args } = event
      if (mine) step.parts.push(...assistantParts({ toolCalls: [{ id, name, args }] }))
      return
    }
    case 'tool.result': {
      const result = fieldsOf(event['result']) ?? {}
      return readResult(state, { ...result, toolCallId: event['toolCallId'] }, result['output'])
    }
    case 'step.end':
      if (step === undefined || unfinished.has(event['finishReason'])) return
      step.reply = { usage: usageOf(event['usage']), finish: finishes.get(event['finishReason']) }
      return endStep(state)
  }
}

/** A step that was broken off goes on being open until the next one begins. */
const unfinished: ReadonlySet<unknown> = new Set(['interrupted', 'error'])

const finishes = new Map<unknown, FinishReason>([
  ['end_turn', 'stop'],
  ['tool_use', 'tool-calls'],
  ['max_tokens', 'length'],
  ['filtered', 'content-filter'],
])

function usageOf(value: unknown): Usage | undefined {
  const usage = fieldsOf(value)
  const fresh = countOf(usage?.['inputOther'])
  const outputTokens = countOf(usage?.['output'])
  if (fresh === undefined || outputTokens === undefined) return undefined
  const cacheReadTokens = countOf(usage?.['inputCacheRead']) ?? 0
  const cacheWriteTokens = countOf(usage?.['inputCacheCreation']) ?? 0
  const inputTokens = fresh + cacheReadTokens + cacheWriteTokens
  return { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }
}

function readResult(state: State, fields: Fields, content: unknown): void {
  const toolCallId = nameOf(fields['toolCallId'])
  if (!toolCallId) return
  const result = { toolCallId, output: toolOutput(content, fields) }
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
  const preTokens = countOf(record['tokensBefore'])
  const text = summaryIn(record)
  if (record['legacyTail'] === true || kept === undefined) {
    return placeCheckpoint(state, context.slice(compacted ?? context.length), { text, preTokens })
  }
  const prompts = context.filter(({ is }) => is === 'prompt')
  const head = Math.min(countOf(record['keptHeadUserMessageCount']) ?? 0, kept)
  const tail = prompts.slice(Math.max(head, prompts.length - (kept - head)))
  placeCheckpoint(state, [...prompts.slice(0, head), ...tail], { text, preTokens })
}

function summaryIn(record: Fields): string {
  const summary = record['summary'] ?? record['contextSummary']
  if (typeof summary === 'string') return summary
  const content = boundedValue(fieldsOf(summary)?.['content'])
  return objectsOf(content)
    .map((part) => textOf(part['text']) ?? '')
    .join('')
}
