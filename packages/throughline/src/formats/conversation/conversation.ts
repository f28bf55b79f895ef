import type { EntryDraft, FinishReason, MessageDraft, Metadata, Usage } from '../../log/entry.ts'
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
}

export interface Reply {
  at: number
  parts: readonly AssistantPart[]
  model?: string | undefined
  usage?: Usage | undefined
  finish?: FinishReason | undefined
  metadata?: Metadata | undefined
  providerOptions?: ProviderOptions | undefined
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
  return { give, tools: new Map(), open: new Set(), results: [], resultsAt: 0, resultRecords: [] }
}

/** Adds a reply; returns false and adds nothing if it has nothing that is ever sent again. */
export function giveReply(conversation: Conversation, reply: Reply): boolean {
  closeResults(conversation)
  const { tools, open } = conversation
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
  const { at, model, usage, metadata, providerOptions } = reply
  conversation.give({
    kind: 'message',
    at,
    message: { role: 'assistant', content: parts, ...(providerOptions && { providerOptions }) },
    origin: 'model',
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
  if (!awaited) closeResults(conversation)
  conversation.results.push(part)
  conversation.resultsAt = at
  if (record) conversation.resultRecords.push(record)
  if (!awaited || conversation.open.size === 0) closeResults(conversation)
}

/** Gives what was said in the user's role. */
export function giveEntries(conversation: Conversation, drafts: readonly EntryDraft[]): void {
  closeResults(conversation)
  for (const draft of drafts) conversation.give(draft)
}

/** Adds the results so far: no more are expected. */
export function closeResults(conversation: Conversation): void {
  const { results, resultsAt: at, resultRecords: records } = conversation
  if (results.length === 0) return
  conversation.results = []
  conversation.resultRecords = []
  const draft: MessageDraft = {
    kind: 'message',
    at,
    message: { role: 'tool', content: results },
    origin: 'tool',
    ...(records.length > 0 && { metadata: { source: { records } } }),
  }
  conversation.give(draft)
}
