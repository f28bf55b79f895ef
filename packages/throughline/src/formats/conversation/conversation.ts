import type {
  EntryDraft,
  FinishReason,
  MessageDraft,
  Metadata,
  Origin,
  Usage,
} from '../../log/entry.ts'
import type {
  AssistantPart,
  ProviderOptions,
  ToolOutput,
  ToolResultPart,
} from '../../log/message.ts'

/**
 * A conversation that is read message by message. The results of a reply are collected in one
 * message after it; a result that comes too late gets its own message.
 */
export interface Conversation {
  /** Receives each draft as soon as it is complete. */
  give: (draft: EntryDraft) => void
  /** Names of the tools that were called, by call. */
  tools: Map<string, string>
  /** Calls of the newest reply that have no result yet. */
  open: Set<string>
  results: ToolResultPart[]
  resultsAt: number
  /** The records that contain the results. */
  resultRecords: string[]
  /** What the harness said while calls were open: it goes after their results. */
  held: MessageDraft[]
  /** How often something was taken out of a record, to be given now or later. */
  heard: number
}

export interface Reply {
  at: number
  parts: readonly AssistantPart[]
  model?: string | undefined
  usage?: Usage | undefined
  finish?: FinishReason | undefined
  metadata?: Metadata | undefined
  providerOptions?: ProviderOptions | undefined
  /** Who made it; the model if nothing else is said. */
  origin?: Origin
}

export interface Result {
  at: number
  toolCallId: string
  output: ToolOutput
  /** The tool's name, if the record itself has it. */
  toolName?: string | undefined
  record?: string | undefined
  providerOptions?: ProviderOptions | undefined
}

export function newConversation(give: (draft: EntryDraft) => void): Conversation {
  return {
    give,
    tools: new Map(),
    open: new Set(),
    results: [],
    resultsAt: 0,
    resultRecords: [],
    held: [],
    heard: 0,
  }
}

/** Gives what earlier records said: nothing of it is in the newest one. */
export function givingHeld(conversation: Conversation, giving: () => void): void {
  const { heard } = conversation
  giving()
  conversation.heard = heard
}

/** Adds a reply; returns false and adds nothing if it has nothing that is ever sent again. */
export function giveReply(conversation: Conversation, reply: Reply): boolean {
  closeResults(conversation)
  const { tools, open } = conversation
  if (reply.parts.length > 0) conversation.heard++
  open.clear()
  const parts: AssistantPart[] = []
  for (const part of ranByProvider(reply.parts)) {
    if (part.type === 'tool-call') {
      tools.set(part.toolCallId, part.toolName)
      if (!part.providerExecuted) {
        if (open.has(part.toolCallId)) continue
        open.add(part.toolCallId)
      }
    }
    parts.push(part)
  }
  if (!parts.some(says)) return false
  const { at, model, usage, metadata, providerOptions, origin = 'model' } = reply
  conversation.give({
    kind: 'message',
    at,
    message: { role: 'assistant', content: parts, ...(providerOptions && { providerOptions }) },
    origin,
    ...(model && { model }),
    ...(usage && { usage }),
    finish: finishOf(reply, open.size),
    ...(metadata && { metadata }),
  })
  return true
}

/** A call whose result is next to it was run by the provider, whether it says so or not. */
function ranByProvider(parts: readonly AssistantPart[]): readonly AssistantPart[] {
  const answered = new Set(
    parts.flatMap((part) => (part.type === 'tool-result' ? [part.toolCallId] : [])),
  )
  if (answered.size === 0) return parts
  return parts.map((part) =>
    part.type === 'tool-call' && answered.has(part.toolCallId)
      ? { ...part, providerExecuted: true }
      : part,
  )
}

/** Some servers report every answer as finished, even one with calls. */
function finishOf({ finish }: Reply, calls: number): FinishReason {
  if (calls > 0 && finish === 'stop') return 'tool-calls'
  return finish ?? (calls > 0 ? 'tool-calls' : 'stop')
}

function says(part: AssistantPart): boolean {
  return part.type !== 'reasoning' && (part.type !== 'text' || part.text.trim() !== '')
}

export function addResult(conversation: Conversation, result: Result): void {
  const { toolCallId, output, at, record, providerOptions } = result
  const toolName = conversation.tools.get(toolCallId) ?? result.toolName ?? 'unknown'
  const noted = providerOptions && { providerOptions }
  const part: ToolResultPart = { type: 'tool-result', toolCallId, toolName, output, ...noted }
  const awaited = conversation.open.delete(toolCallId)
  conversation.heard++
  if (!awaited) closeResults(conversation)
  conversation.results.push(part)
  conversation.resultsAt = at
  if (record) conversation.resultRecords.push(record)
  if (!awaited || conversation.open.size === 0) closeResults(conversation)
}

/** Gives what was said in the user's role. */
export function giveEntries(conversation: Conversation, drafts: readonly EntryDraft[]): void {
  closeResults(conversation)
  if (drafts.length > 0) conversation.heard++
  for (const draft of drafts) conversation.give(draft)
}

const mostHeld = 256

/** Holds back what the harness says while calls are open; otherwise returns false and does nothing. */
export function holds(conversation: Conversation, drafts: readonly MessageDraft[]): boolean {
  const { open, held } = conversation
  const waits = drafts.every(({ origin }) => origin === 'harness')
  if (!waits || open.size === 0 || held.length >= mostHeld) return false
  held.push(...drafts)
  conversation.heard++
  return true
}

/** Adds the results so far, for no more are expected, and what waited for them. */
export function closeResults(conversation: Conversation): void {
  const { results, resultsAt: at, resultRecords: records, held } = conversation
  if (results.length > 0) {
    conversation.results = []
    conversation.resultRecords = []
    conversation.give({
      kind: 'message',
      at,
      message: { role: 'tool', content: results },
      origin: 'tool',
      ...(records.length > 0 && { metadata: { source: { records } } }),
    })
  }
  if (held.length > 0) for (const draft of held.splice(0)) conversation.give(draft)
}

/** A reply that grows: its parts and results come one by one. */
export interface Step extends Omit<Reply, 'parts'> {
  /** What all records of it have in common. */
  id: string | undefined
  parts: AssistantPart[]
  calls: Set<string>
  /** Calls that have no result yet. */
  open: Set<string>
  results: Result[]
  /** What came while calls were open, and goes after their results. */
  after: (() => void)[]
  interrupted: boolean
}

export function newStep(id: string | undefined, at: number): Step {
  return {
    id,
    at,
    parts: [],
    calls: new Set(),
    open: new Set(),
    results: [],
    after: [],
    interrupted: false,
  }
}

/** Adds parts to a step; a call that is said again adds nothing. */
export function growStep(
  conversation: Conversation,
  step: Step,
  parts: readonly AssistantPart[],
): void {
  const { tools } = conversation
  if (parts.length > 0) conversation.heard++
  for (const part of parts) {
    if (part.type === 'tool-call') {
      if (step.calls.has(part.toolCallId)) continue
      tools.set(part.toolCallId, part.toolName)
      if (!part.providerExecuted) {
        step.calls.add(part.toolCallId)
        step.open.add(part.toolCallId)
      }
    }
    step.parts.push(part)
  }
}

/** Adds a result to the step that waits for it; returns false and adds nothing if it doesn't. */
export function answerStep(
  conversation: Conversation,
  step: Step | undefined,
  result: Result,
): boolean {
  if (!step?.open.delete(result.toolCallId)) return false
  step.results.push(result)
  conversation.heard++
  return true
}

/**
 * Gives a step, which gets nothing more, with its results; what came after it is the caller's to
 * give. Returns whether it says anything.
 */
export function giveStep(conversation: Conversation, step: Step): boolean {
  const { calls, open, interrupted, results } = step
  const aborted = interrupted && (open.size > 0 || calls.size === 0)
  const finish = step.finish ?? (aborted ? 'aborted' : undefined)
  const { heard } = conversation
  const given = giveReply(conversation, { ...step, finish })
  for (const result of results) addResult(conversation, result)
  closeResults(conversation)
  open.clear()
  conversation.open.clear()
  // Earlier records said all this.
  conversation.heard = heard
  return given
}
