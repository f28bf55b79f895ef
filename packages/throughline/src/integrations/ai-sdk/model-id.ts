import type { LanguageModel } from 'ai'

/** The name that a model is asked for by: the one that a provider answers with may carry a date. */
export function modelId(model: LanguageModel): string {
  return typeof model === 'string' ? model : model.modelId
}
