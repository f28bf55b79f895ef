import { accomplished } from '../../facts/summary/sections/accomplished.ts'
import { coreSection } from '../../facts/summary/sections/core-sections.ts'
import { discoveries } from '../../facts/summary/sections/discoveries.ts'
import { goal } from '../../facts/summary/sections/goal.ts'
import { instructions } from '../../facts/summary/sections/instructions.ts'
import type { SummarySection } from '../../facts/summary/sections/section.ts'
import { openErrors } from '../../facts/error-facts.ts'
import { headingKey } from '../../facts/heading-key.ts'
import { parseSections, saysNothing, sectionBody } from '../../facts/sections.ts'
import { backgroundLines } from '../../facts/background/told-background.ts'
import { exactNames } from '../../facts/heading-names.ts'
import { arrangeSections, readAnswer } from './arrange.ts'
import { draftText, shortenSections, type DraftSection } from './shorten.ts'
import { summarizeLocally } from './local/summarize-locally.ts'
import {
  longestRequest,
  modelsLines,
  quotedLines,
  requestLines,
  ruleLines,
} from '../../facts/summary/human-lines.ts'
import { quoteMarker } from '../../facts/summary/human-quotes.ts'
import { untoldFiles } from './told-files.ts'
import { withContradictions } from './contradicted.ts'
import { withoutInventions } from './invented-names.ts'
import { withoutImitations, withoutRepeats } from './models-words.ts'
import type { Template } from './template.ts'
import type { Chronological } from '../../log/order.ts'
import type { Facts } from '../../facts/facts.ts'

export interface RepairInput<T extends number = number> {
  facts: Facts
  template: Template
  /** What the summary may take, in the unit of `count`. */
  budget: NoInfer<T>
  count: (text: string) => T
  log: Chronological
  /** What the summary stands in the place of, in the unit of `count`: a model's words take no more. */
  replaced?: NoInfer<T> | undefined
  /** The most that the human's rules may take, in the unit of `count`. */
  standing?: NoInfer<T> | undefined
  focus?: string | undefined
  /** Texts next to the summary. */
  beside?: readonly string[]
  /** A summary that was repaired before: the lines of it that still stand are right as they are. */
  vouched?: string
}

/**
 * Makes an answer a summary that agrees with the record. It is taken out of its wrapper and put
 * into the order of the template; what is too long is cut by its least important parts. Changed
 * files that it leaves out are added with what happened to them, names that the session never held
 * are marked, unresolved errors are listed, and a section that is missing is told by the record.
 * The human's rules, what they took back and their latest request are written by code alone, word
 * for word and always: no words of an answer count as one of them, and what it says under
 * Instructions stands apart. Lines from the record carry its seqs; the model's lines carry none.
 * Says `undefined` where not even what must stand fits.
 */
export function repairSummary<T extends number>(
  text: string,
  input: RepairInput<T>,
): string | undefined {
  const { template, budget, count, vouched } = input
  const most = (input.replaced === undefined ? budget : Math.min(budget, input.replaced)) as T
  const answer = readAnswer(text, template)
  const right = new Set(vouched?.split('\n'))
  const quoted = quoteMarker(input.facts)
  const arranged = arrangeSections(answer, template).map(({ heading, body }): DraftSection => {
    const written = withoutRepeats(body, heading, input.facts)
    if (coreSection(heading) === instructions)
      return { heading, said: written, apart: (words) => modelsLines(words, quoted), added: [] }
    const said = withoutImitations(written, right)
    return { heading: withoutImitations(heading), said, added: [] }
  })
  const named = new Set<string>()
  const said = shortenSections(arranged, { template, budget: most, count }).map((section) => {
    const seen = withoutInventions(section.said, { ...input, named, right })
    return { ...section, said: withContradictions(seen, { ...input, right }) }
  })
  // Whoever changes a summary may say something before it; a model says it to whoever asked.
  const before = withoutImitations(answer.preamble, right)
  const preamble = vouched === undefined || before === '' ? '' : `${before}\n\n`
  const whole = (body: string): T => count(preamble + body)
  const completed = completedSections(said, { ...input, budget: most })
  // What does not fit is left to the record: the words of a model are not thrown away for it.
  for (const [drafted, share] of [
    [completed, 1],
    [said, 1],
    [said, mostOfMissing],
    [said, 0],
  ] as const) {
    const told = stated(drafted, { ...input, right, share: share === 0 ? leastOfRequest : 1 })
    const sections = withMissing(told, { ...input, tokens: budget * share })
    const text = draftText(shortenSections(sections, { template, budget, count: whole }))
    if (whole(text) <= budget) return preamble + text
  }
  return undefined
}

// Of a summary, what may be files and errors that it leaves out, where not all of them fit.
const mostOfMissing = 0.25

// The share of a summary that the latest request may take: a long one is also in the tail, clipped.
const shareOfRequest = 0.12
export const shareOfBackground = 0.15
const charactersPerToken = 4

// What is left of a long request where there is hardly any room.
const leastOfRequest = 0.1

/** What code alone writes of what the human said. */
function stated<T extends number>(
  sections: readonly DraftSection[],
  {
    facts,
    budget,
    count,
    beside,
    standing = budget,
    right,
    share,
  }: RepairInput<T> & { right: ReadonlySet<string>; share: number },
): DraftSection[] {
  const rules = ruleLines(facts, { tokens: standing, count })
  const most = Math.min(longestRequest, budget * charactersPerToken * shareOfRequest) * share
  const request = requestLines(facts, { beside, most })
  const background = backgroundLines(facts, { tokens: budget * shareOfBackground * share, count })
  return sections.map((section) => {
    const core = coreSection(section.heading)
    if (core === instructions) return { ...section, stated: rules }
    if (core !== goal) return section
    const asked = statesRequest(section.said, facts, right) ? [] : request
    return { ...section, added: [...section.added, ...background, ...asked] }
  })
}

/** Whether a local summary that was changed still has the lines of the request that code wrote. */
function statesRequest(body: string, { requests }: Facts, right: ReadonlySet<string>): boolean {
  const heads = ['The latest request', 'The request of the human'].map(
    (label) => `${label} [${requests.at(-1)?.seq ?? ''}]`,
  )
  const lines = body.split('\n')
  return lines.some(
    (line, at) =>
      right.has(line) &&
      heads.some((head) => line.startsWith(head)) &&
      lines[at + 1]?.startsWith('>') === true &&
      right.has(lines[at + 1] ?? ''),
  )
}

/** What a summary must say and the sections do not, in at most so many tokens. */
function withMissing(
  sections: readonly DraftSection[],
  { facts, count, tokens }: Pick<RepairInput, 'facts' | 'count'> & { tokens: number },
): DraftSection[] {
  const text = draftText(sections)
  const done = sections.find(({ heading }) => coreSection(heading) === accomplished)
  const files = untoldFiles(facts.files.values(), { text, accomplished: done?.said ?? '' })
  const missing: [SummarySection, string[]][] = [
    [discoveries, quotedLines(facts)],
    [discoveries, missingErrors(text, facts)],
    [accomplished, files],
  ]
  let left = tokens
  const fitting = (line: string): boolean => {
    const cost = count(`${line}\n`)
    if (cost > left) return false
    left -= cost
    return true
  }
  return sections.map((section) => {
    const own = missing.filter(([core]) => core === coreSection(section.heading))
    return {
      ...section,
      added: [...section.added, ...own.flatMap(([, lines]) => lines.filter(fitting))],
    }
  })
}

// With less room than this the record can say nothing.
const leastRoom = 60

/**
 * What an answer has no section for is told by the record, in half of the room that is left. What
 * the human said is told in any case.
 */
function completedSections<T extends number>(
  sections: readonly DraftSection[],
  { facts, template, budget, count, focus, beside }: RepairInput<T>,
): readonly DraftSection[] {
  const asked = new Set(template.sections.map(({ heading }) => headingKey(heading)))
  const isMissing = ({ heading, said }: DraftSection): boolean =>
    said === '' && asked.has(headingKey(heading)) && coreSection(heading) !== instructions
  const room = Math.floor((budget - count(draftText(sections))) / 2) as T
  if (!sections.some(isMissing) || room < leastRoom) return sections
  const local = parseSections(
    summarizeLocally({ facts, template, budget: room, count, focus, beside }),
    exactNames(template.sections.map(({ heading }) => heading)),
  )
  return sections.map((section) => {
    const told = isMissing(section) ? (sectionBody(local, section.heading) ?? '') : ''
    const body = coreSection(section.heading) === goal ? beforeLatest(told) : told
    return body === '' || saysNothing(body) ? section : { ...section, added: [recordLabel, body] }
  })
}

/** How the session began, and what was asked in between; the latest request is always added. */
function beforeLatest(told: string): string {
  const lines = told.split('\n')
  const latest = lines.findIndex((line) =>
    /^The (?:latest request|request of the human)\b/.test(line),
  )
  return (latest === -1 ? lines : lines.slice(0, latest)).join('\n')
}

// A summary by code begins with its first request: one that code has only completed must not.
const recordLabel = 'From the record:'

// The newest ones say what still has to be done.
const mostErrors = 8

/** What the facts know to be unresolved, and a text does not say. */
export function missingErrors(text: string, facts: Facts): string[] {
  return openErrors(facts)
    .filter((error) => !text.includes(error.text))
    .slice(-mostErrors)
    .map((error) => `- Not resolved (${error.owner}): ${error.text} [${error.seq}]`)
}
