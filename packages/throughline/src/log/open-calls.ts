import { partsOf, type Message, type ToolCallPart, type ToolMessage } from './message.ts'
import type { ContextItem } from './context/context-item.ts'

/** A call of a step that has no result yet. */
export interface OpenCall {
  call: ToolCallPart
  /**
   * What it waits for: the human's `approval`; its `result`, from whoever runs it; or, once the
   * human has answered, the `next-step`, which runs it or says that it was denied.
   */
  awaits: 'approval' | 'result' | 'next-step'
}

/**
 * Decides which calls of a step are open, from an assistant message and the tool messages after it.
 * A call that the provider runs itself is open only if it asks for approval.
 * @example
 * openCalls([assistantMessage, ...toolMessages]).map(({ call }) => call.toolName)
 */
export function openCalls(step: readonly Message[]): OpenCall[] {
  if (isPlainlyAnswered(step)) return []
  const unanswered = new Map<string, ToolCallPart>()
  const requests: { approvalId: string; toolCallId: string }[] = []
  const decided = new Set<string>()
  for (const part of step.flatMap(partsOf)) {
    if (part.type === 'tool-call') unanswered.set(part.toolCallId, part)
    if (part.type === 'tool-result') unanswered.delete(part.toolCallId)
    if (part.type === 'tool-approval-request') requests.push(part)
    if (part.type === 'tool-approval-response') decided.add(part.approvalId)
  }
  return [...unanswered.values()].flatMap((call): OpenCall[] => {
    const asked = requests.filter(({ toolCallId }) => toolCallId === call.toolCallId)
    if (asked.length === 0) return call.providerExecuted ? [] : [{ call, awaits: 'result' }]
    const waits = asked.some(({ approvalId }) => !decided.has(approvalId))
    return [{ call, awaits: waits ? 'approval' : 'next-step' }]
  })
}

// With more calls than this, looking for each of them among all results would take too long.
const few = 8

/** Whether few calls have their results, and nobody was asked for approval: most steps are such. */
function isPlainlyAnswered(step: readonly Message[]): boolean {
  let calls = 0
  for (const { content } of step) {
    if (typeof content === 'string') continue
    for (const part of content) {
      if (part.type === 'tool-approval-request' || part.type === 'tool-approval-response')
        return false
      if (part.type === 'tool-call' && (++calls > few || !hasResult(step, part))) return false
    }
  }
  return true
}

/** Whether a result of the call comes behind it. */
function hasResult(step: readonly Message[], call: ToolCallPart): boolean {
  let behind = false
  for (const { content } of step) {
    if (typeof content === 'string') continue
    for (const part of content) {
      if (part === call) behind = true
      else if (behind && part.type === 'tool-result' && part.toolCallId === call.toolCallId) {
        return true
      }
    }
  }
  return false
}

/** The result of a call that never got one; always the same bytes. */
export const abortedResult = '[No result: the call was aborted.]'

/**
 * The results that a step needs once nobody will answer its open calls any more; none for calls
 * that the provider runs, which takes no results of them.
 */
export function abortedResults(step: readonly Message[]): ToolMessage | undefined {
  const calls = openCalls(step).filter(isOurs)
  if (calls.length === 0) return undefined
  return {
    role: 'tool',
    content: calls.map(({ call: { toolCallId, toolName } }) => ({
      type: 'tool-result',
      toolCallId,
      toolName,
      output: { type: 'error-text', value: abortedResult },
    })),
  }
}

/** Whether a tool message can answer the call. */
function isOurs({ call }: OpenCall): boolean {
  return !call.providerExecuted
}

/**
 * Whether a context ends with a step that waits for someone: for the result of a call, or for the
 * answer to an approval. A call whose approval was answered waits for nobody.
 */
export function waitsForSomeone(items: readonly ContextItem[]): boolean {
  const calls = openCalls(pendingStep(items)?.messages ?? [])
  return calls.some(({ awaits }) => awaits !== 'next-step')
}

/** Where the newest step begins, if it is pending. */
export function pendingStepStart(items: readonly ContextItem[]): number | undefined {
  const step = pendingStep(items)
  return step && openCalls(step.messages).length > 0 ? step.start : undefined
}

/** The step at the very end: anything after a step ends its wait. */
function pendingStep(
  items: readonly ContextItem[],
): { start: number; messages: Message[] } | undefined {
  const messages: Message[] = []
  for (let start = items.length - 1; start >= 0; start--) {
    const item = items[start] as ContextItem
    if (item.type !== 'message') return undefined
    messages.unshift(item.message)
    if (item.message.role === 'assistant') return { start, messages }
    if (item.message.role !== 'tool') return undefined
  }
  return undefined
}

/**
 * Where a tool message must go: after its step, and before anything that was said in the meantime.
 * It goes nowhere if the call it answers isn't open.
 */
export function placeForResults(
  items: readonly ContextItem[],
  message: ToolMessage,
): number | undefined {
  let place = items.length
  const results: Message[] = []
  for (let index = items.length - 1; index >= 0; index--) {
    const item = items[index] as ContextItem
    if (item.type === 'message' && item.message.role === 'tool') {
      results.unshift(item.message)
    } else if (item.type === 'message' && item.message.role === 'assistant') {
      return answersAll(message, [item.message, ...results]) ? place : undefined
    } else {
      place = index
    }
  }
  return undefined
}

function answersAll(answer: ToolMessage, step: readonly Message[]): boolean {
  const [result, ...others] = answer.content
  const [message, ...results] = step
  if (message && result?.type === 'tool-result' && others.length + results.length === 0) {
    const answered = isOneOfPlainCalls(message, result.toolCallId)
    if (answered !== undefined) return answered
  }
  const open = new Set(
    openCalls(step)
      .filter(isOurs)
      .map(({ call }) => call.toolCallId),
  )
  // A call takes one result: `delete` says no to the second.
  return answer.content.every((part) => part.type !== 'tool-result' || open.delete(part.toolCallId))
}

/**
 * Whether the only result that a step has is of one of its calls: the usual case. `undefined` for a
 * step with results or approvals in it, and with calls that its provider runs.
 */
function isOneOfPlainCalls({ content }: Message, toolCallId: string): boolean | undefined {
  if (typeof content === 'string') return false
  let found = false
  for (const part of content) {
    if (part.type === 'tool-call') {
      if (part.providerExecuted) return undefined
      if (part.toolCallId === toolCallId) found = true
    } else if (part.type.startsWith('tool-')) return undefined
  }
  return found
}
