import type { SessionFacts } from '../format.ts'
import type { Usage } from '../../log/entry.ts'

// Claude Code 2.1 runs its models with 200,000 tokens, or with a million where that is set.
const usual = 200_000
const large = 1_000_000

/**
 * Notes the window that a reply shows, in tokens. The records name none; a request of more
 * than the usual window proves the large one.
 */
export function noteWindow(facts: SessionFacts, model: string, usage: Usage | undefined): void {
  if (!model.startsWith('claude')) return
  const seen = usage !== undefined && usage.inputTokens > usual
  facts.window = seen || facts.window === large ? large : usual
}
