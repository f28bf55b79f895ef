import { compactedBy } from '../../../log/context/provider-compaction.ts'
import { fieldsOf } from '../../../json/fields.ts'
import type { LanguageModel } from 'ai'
import type { Message } from '../../../log/message.ts'

/** Who compacts for a model, by the name that its package gives its API; `undefined` for others. */
export function compactingProvider(model: LanguageModel): 'openai' | 'anthropic' | undefined {
  if (typeof model === 'string') return undefined
  if (/^(?:openai|azure)(?:-openai)?\.responses\b/.test(model.provider)) return 'openai'
  return /(?:^|\.)anthropic\b/.test(model.provider) ? 'anthropic' : undefined
}

/** Under which name its options stand. */
export function optionsName(
  { provider }: Exclude<LanguageModel, string>,
  by: 'openai' | 'anthropic',
): string {
  return by === 'openai' && provider.startsWith('azure') ? 'azure' : by
}

type Headers = Readonly<Record<string, string | undefined>>

const beta = 'compact-2026-01-12'

/**
 * The headers of a request: Anthropic takes its own compaction back only with the beta by which it
 * was made, which its package sends only where it is asked to compact.
 */
export function withCompactionBeta<Given extends Headers>(
  headers: Given | undefined,
  prompt: readonly { role: string; content: unknown }[],
): Given | undefined {
  if (!prompt.some((message) => compactedBy(readable(message)) === 'anthropic')) return headers
  const betas = headers?.['anthropic-beta']?.split(',').map((name) => name.trim()) ?? []
  if (betas.includes(beta)) return headers
  return { ...headers, 'anthropic-beta': [...betas, beta].join(',') } as unknown as Given
}

/** The SDK's parts are ours, as far as this looks at them. */
function readable(message: { role: string; content: unknown }): Message {
  return fieldsOf(message) as unknown as Message
}
