import { boundedValue, fieldsOf } from '../../json/fields.ts'
import type { ProviderOptions } from '../../log/message.ts'

/** What a provider wants back with a part or a message: fields by provider. */
export function optionsOf(value: unknown): ProviderOptions | undefined {
  const fields = fieldsOf(value)
  if (!fields) return undefined
  const options: ProviderOptions = {}
  for (const [provider, option] of Object.entries(fields)) {
    const known = fieldsOf(boundedValue(option))
    if (known && provider !== '__proto__') options[provider] = known
  }
  return Object.keys(options).length > 0 ? options : undefined
}
