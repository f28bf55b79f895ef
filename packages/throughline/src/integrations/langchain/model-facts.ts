import { countOf, fieldsOf, nameOf } from '../../json/fields.ts'
import { windowOf } from '../../tokens/windows.ts'
import type { Window } from '../../tokens/window.ts'

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
