import type { LanguageModel } from 'ai'

/**
 * The name under which a model is requested; the name in a provider's answer may include a date.
 */
export function modelId(model: LanguageModel): string {
  return typeof model === 'string' ? model : model.modelId
}
