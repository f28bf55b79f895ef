import { boundedValue, fieldsOf } from '../../json/fields.ts'
import type { ProviderOptions } from '../../log/message.ts'

/** What the provider wants to see again of a part: opencode keeps it as the part's metadata. */
export function providerOptions(metadata: unknown): { providerOptions?: ProviderOptions } {
  const options: ProviderOptions = {}
  for (const [provider, values] of Object.entries(fieldsOf(metadata) ?? {})) {
    const kept = Object.entries(fieldsOf(boundedValue(values)) ?? {}).filter(
      ([, value]) => value !== null && value !== undefined,
    )
    if (kept.length > 0) options[provider] = Object.fromEntries(kept)
  }
  return Object.keys(options).length > 0 ? { providerOptions: options } : {}
}
