import { parseSections, sectionBody } from '../sections.ts'
import { isLocalSummary } from './local-summary.ts'
import { addRule } from './read-lines.ts'
import { coreSections } from './sections/core-sections.ts'
import type { FactsState } from '../fold-memory.ts'
import type { Seq } from '../../log/entry.ts'

/**
 * Takes a summary of our own back into the facts: after a session traveled through a file or
 * through JSON, the summary is all that is left of its beginning. What it says was known before,
 * so it never replaces what the log itself shows. Every fact gets the seq of the entry that holds
 * the summary: the refs inside it belong to another log. Of a summary that a model wrote, only the
 * lines count that code wrote into it.
 */
export function readBack(facts: FactsState, summary: string, seq: Seq): void {
  const parsed = parseSections(summary)
  const [first] = parsed.sections
  // Code writes pins in front of everything: what stands under such a heading elsewhere is a model's.
  const pinned = parsed.preamble === '' && first?.heading === 'Pinned' ? first.body : ''
  if (pinned !== '') addRule(facts, { text: pinned, seq })
  for (const kind of isLocalSummary(summary)
    ? (['first', 'own', 'any'] as const)
    : ['any' as const]) {
    for (const { heading, read } of coreSections) {
      read?.[kind]?.(facts, sectionBody(parsed, heading) ?? '', seq)
    }
  }
}
