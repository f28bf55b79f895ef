import {
  addResult,
  closeResults,
  giveEntries,
  giveReply,
  newConversation,
} from '../conversation.ts'
import { clockTime } from '../clock-time.ts'
import { draftQueue, give, takeReady, type DraftQueue } from '../draft-queue.ts'
import { fieldsOf, listOf, nameOf, textOf, type Fields } from '../fields.ts'
import { finishOf, usageOf } from '../openai-chat/usage.ts'
import { assistantParts } from '../openai-chat/assistant-parts.ts'
import { onlyText } from '../openai-chat/text-calls.ts'
import { toolOutput } from '../openai-chat/tool-output.ts'
import { userParts } from '../openai-chat/user-parts.ts'
import { ref } from '../../log/ref.ts'
import { userMessages } from '../user-messages.ts'
import { elidedOutputs } from './elided.ts'
import { factsOf, historyOf } from './history.ts'
import { shellBlock, textAction } from './text-action.ts'
import type { Conversation } from '../conversation.ts'
import type { FormatReader, SessionFacts } from '../format.ts'
import type { EntryDraft, Origin, Ref } from '../../log/entry.ts'
import type { AssistantPart } from '../../log/message.ts'

interface State {
  drafts: DraftQueue
  facts: SessionFacts
  omitted: Record<string, number>
  conversation: Conversation
  /** Where the output at a place of the history stands. */
  results: Map<string, Ref>
  read: boolean
  /** Whether the task was given. */
  tasked: boolean
  /** Commands that were written as text so far. */
  actions: number
  /** The one of them that has no output yet. */
  waiting: string | undefined
}

/** A fresh reader for one run. */
export function sweAgentReader(): FormatReader {
  const drafts = draftQueue()
  const results = new Map<string, Ref>()
  const state: State = {
    drafts,
    facts: {},
    omitted: {},
    conversation: newConversation((draft) => giveDraft(drafts, results, draft)),
    results,
    read: false,
    tasked: false,
    actions: 0,
    waiting: undefined,
  }
  return {
    push(value) {
      const record = fieldsOf(value)
      const history = record && historyOf(record)
      if (record && history) readRun(state, record, history)
      return takeReady(drafts)
    },
    end: () => takeReady(drafts),
    facts: () => ({
      ...state.facts,
      ...(Object.keys(state.omitted).length > 0 && { omitted: { ...state.omitted } }),
    }),
  }
}

function giveDraft(drafts: DraftQueue, results: Map<string, Ref>, draft: EntryDraft): void {
  const seq = give(drafts, draft)
  if (draft.kind !== 'message' || draft.origin !== 'tool') return
  const source = fieldsOf(draft.metadata?.['source'])
  listOf(source?.['records']).forEach((record, part) => results.set(String(record), ref(seq, part)))
}

/** A file holds one run; of others in it nothing is known to this one. */
function readRun(state: State, record: Fields, history: readonly unknown[]): void {
  if (state.read) return omit(state, 'other-session')
  state.read = true
  Object.assign(state.facts, factsOf(record))
  history.forEach((value, index) => {
    const message = fieldsOf(value)
    if (message) readMessage(state, message, String(index))
  })
  closeResults(state.conversation)
  const replacements = elidedOutputs(record, history, state.results)
  if (replacements.length === 0) return
  const base = state.drafts.given
  give(state.drafts, {
    kind: 'prune',
    at: 0,
    base,
    replacements,
    metadata: { time: { compacted: 0 } },
  })
}

function readMessage(state: State, message: Fields, record: string): void {
  // What it shows was never done here.
  if (message['is_demo'] === true) return giveSaid(state, message, 'harness')
  switch (message['role']) {
    case 'system': {
      const text = onlyText(message)
      if (text) state.facts.system = [state.facts.system ?? [], text].flat().join('\n\n')
      return
    }
    case 'assistant':
      return readAssistant(state, message)
    case 'tool': {
      const named = nameOf(listOf(message['tool_call_ids'])[0]) ?? nameOf(message['tool_call_id'])
      return readOutput(state, message, named, record)
    }
    case 'user':
      if (state.waiting) return readOutput(state, message, state.waiting, record)
      giveSaid(state, message, state.tasked ? 'harness' : 'human')
      state.tasked = true
      return
    default:
      return omit(state, 'unknown-record')
  }
}

function giveSaid(state: State, message: Fields, origin: Origin): void {
  const parts = userParts(message['content']).map(({ part }) => ({ origin, part }))
  if (parts.length === 0) return omit(state, 'empty')
  giveEntries(state.conversation, userMessages(parts, timeIn(message)))
}

function readAssistant(state: State, message: Fields): void {
  const response = fieldsOf(fieldsOf(message['extra'])?.['response'])
  const model = nameOf(response?.['model']) ?? state.facts.model
  const choice = fieldsOf(listOf(response?.['choices'])[0])
  const given = giveReply(state.conversation, {
    at: timeIn(message),
    parts: partsOf(state, message),
    model,
    usage: usageOf(response?.['usage']),
    finish: finishOf(choice?.['finish_reason']),
  })
  if (!given) omit(state, 'empty')
}

function partsOf(state: State, message: Fields): AssistantPart[] {
  state.waiting = undefined
  const parts = assistantParts(message, 1)
  if (parts.some(({ type }) => type === 'tool-call')) return parts
  const said = onlyText(message) ?? ''
  const own = textOf(message['action'])
  const block = own
    ? { thought: textOf(message['thought']) ?? said, action: own }
    : shellBlock(said)
  if (!block) return parts
  const toolCallId = `action_${++state.actions}`
  state.waiting = toolCallId
  const reasoning = parts.filter(({ type }) => type === 'reasoning')
  const text = block.thought.trim() === '' ? [] : [{ type: 'text' as const, text: block.thought }]
  return [...reasoning, ...text, { type: 'tool-call', toolCallId, ...textAction(block.action) }]
}

function readOutput(
  state: State,
  message: Fields,
  toolCallId: string | undefined,
  record: string,
): void {
  state.waiting = undefined
  if (!toolCallId) return omit(state, 'result-without-call')
  const output = toolOutput(message['content'])
  addResult(state.conversation, { at: timeIn(message), toolCallId, output, record })
}

function timeIn(message: Fields): number {
  return clockTime(message['timestamp'] ?? fieldsOf(message['extra'])?.['timestamp']) ?? 0
}

function omit({ omitted }: State, reason: string): void {
  omitted[reason] = (omitted[reason] ?? 0) + 1
}
