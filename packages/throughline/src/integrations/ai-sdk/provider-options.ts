import type { ProviderMetadata } from 'ai'
import type { TextPart } from '../../log/message.ts'

/** What a provider says of a part, as it is said to it again; nothing where it says nothing. */
export function providerOptions(
  metadata: ProviderMetadata | undefined,
): Pick<TextPart, 'providerOptions'> {
  return metadata === undefined ? {} : { providerOptions: metadata }
}
