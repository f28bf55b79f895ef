import type { ProviderMetadata } from 'ai'
import type { TextPart } from '../../log/message.ts'

/**
 * A provider's metadata for a part, in the form in which it is sent back; nothing if there is none.
 */
export function providerOptions(
  metadata: ProviderMetadata | undefined,
): Pick<TextPart, 'providerOptions'> {
  return metadata === undefined ? {} : { providerOptions: metadata }
}
