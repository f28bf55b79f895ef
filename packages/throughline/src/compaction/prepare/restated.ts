import { exactNames } from '../../facts/heading-names.ts'
import { formatSections, parseSections } from '../../facts/sections.ts'
import { coreSection } from '../../facts/summary/sections/core-sections.ts'
import { goal } from '../../facts/summary/sections/goal.ts'
import { instructions } from '../../facts/summary/sections/instructions.ts'
import { indexAfter, type Chronological } from '../../log/order.ts'
import { inModelTokens, type Counter } from '../../tokens/counter.ts'
import {
  longestRequest,
  requestLabel,
  requestLines,
  ruleLines,
} from '../../facts/summary/human-lines.ts'
import { modelsLabel } from '../../facts/labels.ts'
import { nothing } from '../summary/shorten.ts'
import { textsBeside } from '../cut/texts-beside.ts'
import type { CheckpointDraft, Seq } from '../../log/entry.ts'
import type { Facts } from '../../facts/facts.ts'
import type { ModelTokens } from '../../tokens/units.ts'
import type { Template } from '../summary/template.ts'

/** A summary that a model wrote, in the compaction that it is for. */
interface Written {
  draft: Pick<CheckpointDraft, 'summary' | 'tail' | 'continuation'>
  /** The newest entry when it was asked for. */
  since: Seq
  template: Template
  /** The most that the human's rules may take. */
  standing: ModelTokens
}

/** The log as it is now. */
interface Now {
  log: Chronological
  counter: Counter
  facts: () => Facts
}

/**
 * A model's summary with the human's rules and latest request as they are now, where they have spoken
 * since it was asked for: a change of mind takes a rule out of force wherever it was said. Code alone
 * wrote those lines, and only those are changed.
 */
export function restated(
  { draft, since, template, standing }: Written,
  { log, counter, facts }: Now,
): string {
  const { summary, ...beside } = draft
  const later = log.slice(indexAfter(log, since))
  if (!later.some((entry) => entry.kind === 'message' && entry.origin === 'human')) return summary
  const names = exactNames(template.sections.map(({ heading }) => heading))
  const { preamble, sections } = parseSections(summary, names)
  const room = { tokens: standing, count: inModelTokens(counter) }
  const anew = sections.map(({ heading, body }) => {
    const core = coreSection(heading)
    if (core === instructions) return { heading, body: withRules(body, ruleLines(facts(), room)) }
    if (core !== goal) return { heading, body }
    const shown = { beside: textsBeside(beside, log), most: longestRequest }
    return { heading, body: withRequest(body, requestLines(facts(), shown)) }
  })
  return formatSections({ preamble, sections: anew })
}

/** The rules come first, and what a model said of them under its label. */
function withRules(body: string, rules: readonly string[]): string {
  const lines = body.split('\n')
  const models = lines.indexOf(modelsLabel)
  return [...rules, ...(models === -1 ? [] : lines.slice(models))].join('\n') || nothing
}

function withRequest(body: string, request: readonly string[]): string {
  const lines = body.split('\n')
  const found = lines.findLastIndex((line) => line.startsWith(requestLabel))
  if (found === -1) return [...lines, ...request].join('\n')
  const length = lines.slice(found + 1).findIndex((line) => !line.startsWith('>'))
  const end = length === -1 ? lines.length : found + 1 + length
  return [...lines.slice(0, found), ...request, ...lines.slice(end)].join('\n')
}
