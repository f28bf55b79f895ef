import { formatSections, headingKey, parseSections } from '../../facts/sections.ts'
import { exactNames } from '../../facts/heading-names.ts'
import { longestRequest, requestLabel, requestLines, ruleLines } from '../summary/human-lines.ts'
import { modelsLabel } from '../../facts/labels.ts'
import { nothing } from '../summary/shorten.ts'
import type { Facts } from '../../facts/facts.ts'
import type { LinesRoom } from '../summary/human-lines.ts'
import type { Template } from '../summary/template.ts'

/**
 * A summary that was made before the human's newest words, with the rules and the latest request as
 * they are now: a change of mind takes a rule out of force wherever it was said. Code alone wrote
 * those lines, and only those are changed.
 */
export function restated(
  summary: string,
  {
    facts,
    template,
    beside,
    room,
  }: { facts: Facts; template: Template; beside: readonly string[]; room: LinesRoom },
): string {
  const names = exactNames(template.sections.map(({ heading }) => heading))
  const { preamble, sections } = parseSections(summary, names)
  const anew = sections.map(({ heading, body }) => {
    const key = headingKey(heading)
    if (key === 'instructions') return { heading, body: withRules(body, ruleLines(facts, room)) }
    if (key !== 'goal') return { heading, body }
    const request = requestLines(facts, { beside, most: longestRequest })
    return { heading, body: withRequest(body, request) }
  })
  return formatSections({ preamble, sections: anew })
}

/** The rules stand first, and what a model said of them under its label. */
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
