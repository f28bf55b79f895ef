import type { FinishReason, MessageDraft, Usage } from '../../log/entry.ts'
import type { AssistantPart, ToolResultPart } from '../../log/message.ts'
import { countOf, fieldsOf, type Fields } from '../../json/fields.ts'

/** One response of the model, put together from its items, with the results of its calls. */
export interface Step {
  at: number
  parts: AssistantPart[]
  model: string | undefined
  usage: Usage | undefined
  calls: Set<string>
  /** Calls that have no output yet. */
  open: Set<string>
  results: ToolResultPart[]
  resultsAt: number
  /** The response is whole: another item of the model's starts the next one. */
  sealed: boolean
  interrupted: boolean
}

export function newStep(at: number, model: string | undefined): Step {
  return {
    at,
    parts: [],
    model,
    usage: undefined,
    calls: new Set(),
    open: new Set(),
    results: [],
    resultsAt: at,
    sealed: false,
    interrupted: false,
  }
}

/** The step's message and, if there are any, its results. */
export function stepDrafts(step: Step): MessageDraft[] {
  const drafts: MessageDraft[] = []
  const { at, model, usage, parts, results } = step
  if (parts.some((part) => part.type !== 'reasoning')) {
    drafts.push({
      kind: 'message',
      at,
      message: { role: 'assistant', content: parts },
      origin: 'model',
      ...(model && { model }),
      ...(usage && { usage }),
      finish: finishOf(step),
    })
  }
  if (results.length > 0) drafts.push(resultsDraft(results, step.resultsAt))
  return drafts
}

export function resultsDraft(results: ToolResultPart[], at: number): MessageDraft {
  return { kind: 'message', at, message: { role: 'tool', content: results }, origin: 'tool' }
}

function finishOf({ calls, open, interrupted }: Step): FinishReason {
  if (interrupted && (open.size > 0 || calls.size === 0)) return 'aborted'
  return calls.size > 0 ? 'tool-calls' : 'stop'
}

/** What a `token_count` event reports about the last request; `total` distinguishes events. */
export interface TokenCount {
  usage: Usage | undefined
  total: number | undefined
  window: number | undefined
}

export function tokenCount(payload: Fields): TokenCount {
  const info = fieldsOf(payload['info'])
  const total = fieldsOf(info?.['total_token_usage'])
  return {
    usage: usageOf(info?.['last_token_usage']),
    total: countOf(total?.['total_tokens']),
    window: countOf(info?.['model_context_window']),
  }
}

function usageOf(value: unknown): Usage | undefined {
  const usage = fieldsOf(value)
  const inputTokens = countOf(usage?.['input_tokens'])
  if (!inputTokens) return undefined
  const cacheReadTokens = countOf(usage?.['cached_input_tokens'])
  return {
    inputTokens,
    outputTokens: countOf(usage?.['output_tokens']) ?? 0,
    ...(cacheReadTokens !== undefined && { cacheReadTokens }),
  }
}
