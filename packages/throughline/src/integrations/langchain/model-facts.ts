import { countOf, fieldsOf, nameOf } from '../../json/fields.ts'
import { usageFrom } from '../../wires/usage.ts'
import { windowOf } from '../../tokens/windows.ts'
import type { Window } from '../../tokens/window.ts'
import type { AIMessage } from '@langchain/core/messages'
import type { FinishReason, Usage } from '../../log/entry.ts'

/** The tokens that a provider counted; `undefined` if it didn't, or if LangChain has no count. */
export function usageOf({ usage_metadata }: AIMessage): Usage | undefined {
  const usage = fieldsOf(usage_metadata)
  const details = fieldsOf(usage?.['input_token_details'])
  return usageFrom({
    input: usage?.['input_tokens'],
    output: usage?.['output_tokens'],
    cacheRead: details?.['cache_read'],
    cacheWrite: details?.['cache_creation'],
  })
}

const finishes: ReadonlyMap<unknown, Exclude<FinishReason, 'aborted'>> = new Map([
  ['stop', 'stop'],
  ['end_turn', 'stop'],
  ['STOP', 'stop'],
  ['tool_calls', 'tool-calls'],
  ['tool_use', 'tool-calls'],
  ['length', 'length'],
  ['max_tokens', 'length'],
  ['MAX_TOKENS', 'length'],
  ['content_filter', 'content-filter'],
  ['refusal', 'content-filter'],
  ['SAFETY', 'content-filter'],
])

/** Why a model stopped, in any provider's words. */
export function finishOf(message: AIMessage): Exclude<FinishReason, 'aborted'> {
  if ((message.tool_calls ?? []).length > 0) return 'tool-calls'
  const said = fieldsOf(message.response_metadata) ?? {}
  return finishes.get(said['finish_reason'] ?? said['stop_reason'] ?? 'stop') ?? 'other'
}

/** The model name in a provider's answer. */
export function modelOf({ response_metadata }: AIMessage): string | undefined {
  const said = fieldsOf(response_metadata)
  return nameOf(said?.['model_name']) ?? nameOf(said?.['model'])
}

/** The name that a model has with its provider, or else what LangChain calls it. */
export function modelName(model: unknown): string {
  const fields = fieldsOf(model)
  const type = fields?.['_llmType']
  const kind: unknown = typeof type === 'function' ? Reflect.apply(type, model, []) : undefined
  return nameOf(fields?.['model']) ?? nameOf(fields?.['modelName']) ?? nameOf(kind) ?? 'langchain'
}

/** What LangChain, or else our own table, knows of a model's window. */
export function modelWindow(model: unknown): Window | undefined {
  const profile = fieldsOf(fieldsOf(model)?.['profile'])
  const input = countOf(profile?.['maxInputTokens'])
  const output = countOf(profile?.['maxOutputTokens'])
  return input ? { context: input, ...(output && { output }) } : windowOf(modelName(model))
}
