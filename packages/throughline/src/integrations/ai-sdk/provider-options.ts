import type { ProviderMetadata, LanguageModel } from 'ai'
import type { TextPart } from '../../log/message.ts'

/**
 * A provider's metadata for a part, in the form in which it is sent back; nothing if there is none.
 */
export function providerOptions(
  metadata: ProviderMetadata | undefined,
): Pick<TextPart, 'providerOptions'> {
  return metadata === undefined ? {} : { providerOptions: metadata }
}

/**
 * The name under which a model is requested; the name in a provider's answer may include a date.
 */
export function modelId(model: LanguageModel): string {
  return typeof model === 'string' ? model : model.modelId
}
