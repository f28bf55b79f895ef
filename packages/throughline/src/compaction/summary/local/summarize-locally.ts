import { allSteps } from '../../../json/all-steps.ts'
import { headingKey } from '../../../facts/heading-key.ts'
import { Beside } from '../../../facts/summary/beside.ts'
import { SaidWords, oneLine } from '../../../facts/summary/clip-words.ts'
import { commandLine, rankedCommands } from '../../../facts/summary/commands.ts'
import { readingOf, type FactsReading } from '../../../facts/summary/reading.ts'
import { Room } from '../../../facts/summary/room.ts'
import { coreSections } from '../../../facts/summary/sections/core-sections.ts'
import {
  lastTurn,
  leastOfPart,
  type Lines,
  type Part,
  type Writing,
} from '../../../facts/summary/sections/section.ts'
import { mapOwnRefs } from '../../render/own-refs.ts'
import { defaultTemplate, withCoreSections, type Template } from '../template.ts'
import { earlierSummary } from './earlier-summary.ts'
import type { RankedStatements } from '../../../facts/statements/rank-statements.ts'
import type { Facts } from '../../../facts/summary/known-facts.ts'
import type { Worth } from '../../../facts/summary/ranking.ts'
import type { LocalSummaryRequest } from './request.ts'

/** What a section that only the template has takes of a large summary. */
const shareOfOther = 0.08

/**
 * Below this many tokens, such shares shrink faster than the budget: a name costs the same in a
 * small summary, and knowing it is worth more than prose.
 */
const roomy = 6_500
const leastOfWants = 0.1

/** Each time the text doesn't fit, it is made again for this share of the room. */
const smaller = 0.93

/**
 * Writes a summary from the facts alone: it calls no model, can't fail, gives the same bytes for
 * the same facts, and never exceeds `budget` (which must hold the headings). The sections come
 * first and can be read on their own. The remaining room goes to the names that an agent may have
 * to write again, sorted by worth for their length. If room is short, names go first, then findings
 * and commands; changed files, the latest request and the rules go last.
 * @example
 * const summary = summarizeLocally({ facts, budget: 4_000, count })
 */
export function summarizeLocally<T extends number>(request: LocalSummaryRequest<T>): string {
  return allSteps(summarySteps(request))
}

/** The same in steps of a few milliseconds each: others may have their turn whenever it yields. */
export function* summarySteps<T extends number>(
  request: LocalSummaryRequest<T>,
): Generator<undefined, string> {
  const { facts, count, focus } = request
  const reading = request.reading ?? readingOf(facts, focus)
  const beside = new Beside(request.beside ?? [])
  yield
  const statements = reading.statements(count)(beside)
  yield
  const around = new SaidWords(facts.root)
  around.add(beside.text)
  yield
  let tokens: number = request.budget
  for (let attempt = 0; attempt < 12; attempt++) {
    const composed = yield* compose(request, {
      tokens: Math.floor(tokens),
      reading,
      statements,
      beside,
      around,
    })
    const text = withoutRefsTo(facts.inherited, composed)
    const size = request.count(text)
    if (size <= request.budget) return text
    yield
    tokens *= Math.min(smaller, request.budget / size)
  }
  return layOut(templateOf(request), new Map())
}

/** Lines from an earlier summary get no ref: it would only show that summary again. */
function withoutRefsTo(inherited: number | undefined, text: string): string {
  if (inherited === undefined) return text
  return mapOwnRefs(text, (ref) => (ref === `${inherited}` ? undefined : ref))
}

function templateOf({ template }: LocalSummaryRequest) {
  return withCoreSections(template ?? defaultTemplate)
}

/** The core sections' parts, in the order in which they take their room, and those of the template's own sections before the last. */
function partsOf(template: Template): { heading: string; part: Part }[] {
  const core = coreSections.flatMap(({ heading, parts }) =>
    parts.map((part) => ({ heading, part })),
  )
  const known = new Set(coreSections.map(({ heading }) => headingKey(heading)))
  const own = template.sections
    .filter(({ heading }) => !known.has(headingKey(heading)))
    .map(({ heading }) => ({ heading, part: otherPart(heading) }))
  return [...core, ...own].toSorted((a, b) => a.part.turn - b.part.turn)
}

function* compose(
  request: LocalSummaryRequest,
  {
    tokens,
    reading,
    statements,
    beside,
    around,
  }: {
    tokens: number
    reading: FactsReading
    statements: ReturnType<RankedStatements>
    beside: Beside
    /** The words next to the summary. */
    around: SaidWords
  },
): Generator<undefined, string> {
  const { facts, count, previous } = request
  const template = templateOf(request)
  const room = new Room(tokens - count(skeleton(template)), count)
  const scale = Math.min(Math.max(tokens / roomy, leastOfWants), 1)
  const lines = new Map<Part, Lines>()
  const writing: Writing = {
    ...reading,
    facts,
    count,
    tokens,
    room,
    standing: request.standing,
    beside,
    around,
    want(part) {
      const share = Math.floor(tokens * scale * part)
      return share < leastOfPart ? 0 : share
    },
    linesOf: (part) => lines.get(part) ?? [],
    written: () => lines.values(),
    statements,
    earlier: (most) => earlierSummary(previous, { room, facts, tokens: most }),
  }
  const all = partsOf(template)
  for (const { part } of all) {
    const written = part.write(writing)
    lines.set(part, 'next' in written ? yield* written : written)
    if (part.inPlaceOf) lines.delete(part.inPlaceOf)
    yield
  }
  const bodies = new Map<string, Lines>()
  for (const { heading, parts } of coreSections)
    bodies.set(headingKey(heading), parts.flatMap(writing.linesOf))
  for (const { heading, part } of all) {
    const key = headingKey(heading)
    if (!bodies.has(key)) bodies.set(key, writing.linesOf(part))
  }
  return layOut(template, bodies)
}

const nothing = '(nothing recorded)'

/** The sections under their headings, in the template's order. */
function layOut(template: Template, bodies: ReadonlyMap<string, readonly string[]>): string {
  return template.sections
    .map(({ heading }) => {
      const lines = bodies.get(headingKey(heading)) ?? []
      return `## ${heading}\n${lines.length === 0 ? nothing : lines.join('\n')}`
    })
    .join('\n\n')
}

/** The text that a summary has whatever its content. */
function skeleton(template: Template): string {
  return layOut(template, new Map())
}

/** What code writes under a heading that only the template has. */
function otherPart(heading: string): Part {
  return {
    turn: lastTurn - 1,
    write: ({ facts, room, worth, want }) =>
      otherSection(heading, facts, { room, worth, tokens: want(shareOfOther) }),
  }
}

/** How many of the newest findings are examined. */
const mostFindings = 200

/**
 * What the facts can say under a heading that a template adds to the core ones: commands, findings
 * and files that mention what the heading names.
 */
function otherSection(
  heading: string,
  index: Facts,
  { room, tokens, worth }: { room: Room; tokens: number; worth: Worth },
): string[] {
  const words = wordsOf(heading)
  const speaks = (text: string): boolean => {
    const lower = text.toLowerCase()
    return words.some((word) => lower.includes(word))
  }
  const ran = rankedCommands(index, worth).map(commandLine)
  const found = index.statements
    .filter(({ source }) => source === 'answer' || source === 'remark')
    .slice(-mostFindings)
    .toReversed()
    .map(({ text, seq }) => `- ${room.clip(oneLine(text), tokens / 4)} [${seq}]`)
  const files = [...index.files.values()].map(({ path, seqs }) => `- ${path} [${seqs.at(-1)}]`)
  return room.takeFitting(new Set([...ran, ...found, ...files].filter(speaks)), tokens)
}

/** Words of four letters or more, without a plural ending. */
function wordsOf(heading: string): string[] {
  const words = heading.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return words.filter((word) => word.length >= 4).map((word) => word.replace(/s$/, ''))
}
