import { allSteps } from '../../../json/all-steps.ts'
import { doneLabel, errorsLabel } from '../../../facts/labels.ts'
import { backgroundLines } from '../../../facts/background/told-background.ts'
import { Beside } from './beside.ts'
import { changedFiles } from './changed-files.ts'
import { commands, commandLine, rankedCommands } from './commands.ts'
import { earlierSummary } from './earlier-summary.ts'
import { fileLines } from './file-lines.ts'
import { humanMessages, latestRequest } from './human-messages.ts'
import { openTodos, whereItStands } from './now.ts'
import type { RankedStatements } from '../../../facts/statements/rank-statements.ts'
import { namesBelow } from './name-list.ts'
import { quotedLines, ruleLines } from '../human-lines.ts'
import { mapOwnRefs } from '../../render/own-refs.ts'
import { namesWithin, Room } from './room.ts'
import { SaidWords, oneLine } from './clip-words.ts'
import { defaultTemplate, withCoreSections, type Template } from '../template.ts'
import { headingKey } from '../../../facts/sections.ts'
import type { Facts } from './request.ts'
import { readingOf, type FactsReading, type LocalSummaryRequest } from './reading.ts'
import type { Worth } from './ranking.ts'
import { openErrors } from '../../../facts/error-facts.ts'

/** Required parts, as shares of the budget, however small it is. */
const musts = {
  background: 0.15,
  latest: 0.12,
  changed: 0.1,
  open: 0.05,
  stands: 0.07,
  said: 0.25,
  errors: 0.03,
}

/**
 * Parts that make a summary good to read, as shares of a budget that is large enough for all of
 * them. Each is a cap.
 */
const wants = { earlier: 0.14, commands: 0.05, files: 0.06, other: 0.08 }

/** What names take of a small summary and of a larger one. */
const namesOfSmall = 0.04
const namesOfLarge = 0.08
/** In tokens: statements that explain their names are worth more of a large room. */
const mostNames = 400
/** The most that they take of what nothing else needs: the rest goes to the newest steps. */
const mostListed = 1_000

/** Where the beginning of the session is known from a summary alone, that is its only record. */
const shareOfInherited = 0.4

/**
 * Below this many tokens, these shares shrink faster than the budget: a name costs the same in a
 * small summary, and knowing it is worth more than prose.
 */
const roomy = 6_500
const leastOfWants = 0.1

/** With less room than this, in tokens, a part says nothing useful. */
const leastOfPart = 40

/** The size of the request in the smallest of summaries, in tokens. */
const smallestLatest = 24

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
  const { facts: index, count, previous } = request
  const { worth } = reading
  const template = templateOf(request)
  const room = new Room(tokens - count(skeleton(template)), count)
  const scale = Math.min(Math.max(tokens / roomy, leastOfWants), 1)
  const want = (part: keyof typeof wants): number => {
    const share = Math.floor(tokens * scale * wants[part])
    return share < leastOfPart ? 0 : share
  }
  const must = (part: keyof typeof musts): number => Math.floor(tokens * musts[part])
  const inherited = (): number => Math.max(Math.floor(tokens * shareOfInherited), leastOfPart)
  const standing = Math.min(request.standing ?? room.left, room.left)
  const rules = room.take(ruleLines(index, { tokens: standing, count }))
  const latest = latestRequest(index, {
    room,
    tokens: Math.min(Math.max(must('latest'), smallestLatest), room.left),
    beside,
  })
  const background = room.take(backgroundLines(index, { tokens: must('background'), count }))
  const changed = changedFiles(index, room, must('changed'))
  const open = openTodos(index, room, must('open'))
  yield
  const stands = whereItStands(index, { room, tokens: must('stands'), beside })
  yield
  const said = yield* humanMessages(index, { room, tokens: must('said'), beside, rules })
  yield
  const errors = unresolvedErrors(index, { room, worth, tokens: must('errors') })
  const earlier = earlierSummary(previous, {
    room,
    facts: index,
    tokens: Math.min(index.inherited === undefined ? want('earlier') : inherited(), room.left),
  })
  yield
  const quoted = quotedLines(index)
  const doubtful = room.takeFitting(quoted, want('other'))
  const place = environment(index, room, room.left)
  const toldErrors = [...stands, ...errors].join('\n')
  const ran = commands(index, { room, worth, tokens: want('commands'), beside: toldErrors })
  const share = tokens < roomy / 2 ? namesOfSmall : namesOfLarge
  const names = Math.min(Math.floor(tokens * share), mostNames)
  const reserved = names + want('files')
  const known = [...said, ...latest, beside.text].join('\n')
  yield
  const told = statements(room.left - reserved, known, stands.join('\n'))
  for (const lines of Object.values(told)) room.take(lines)
  yield
  // Of what the statements leave, files take up to half first; names get the rest.
  const files = fileLines(reading.files(), {
    room,
    tokens: Math.max(want('files'), Math.floor(room.left / 2)),
  })

  yield
  const sections = new Map<string, readonly string[]>([
    ['goal', [...latest, ...background, ...open, ...stands, ...said]],
    ['instructions', rules],
    [
      'discoveries',
      [...earlier, ...(doubtful.length > 1 ? doubtful : []), ...told.discoveries, ...errors],
    ],
    ['accomplished', [...changed, ...labelled(doneLabel, told.accomplished), ...ran]],
    ['relevant files', [...place, ...told['relevant files'], ...files.map(({ line }) => line)]],
  ])
  for (const { heading } of template.sections) {
    if (sections.has(headingKey(heading))) continue
    const lines = otherSection(heading, index, { room, worth, tokens: want('other') })
    sections.set(headingKey(heading), lines)
  }
  const words = new SaidWords(index.root, around)
  for (const lines of sections.values()) words.add(lines.join('\n'))
  yield
  const ranking = reading.names()
  yield
  const listed = new Room(Math.min(room.left, mostListed), count)
  const lines = namesWithin(listed, namesBelow(files, ranking, words))
  sections.set('relevant files', [...place, ...told['relevant files'], ...lines])
  return layOut(template, sections)
}

function labelled(label: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [label, ...lines]
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

/** The input for choosing a section's lines. */
interface FindingsInput {
  room: Room
  tokens: number
  worth: Worth
}

/** Errors with no sign that they are gone. The newest are chosen first, and shown oldest first. */
export function unresolvedErrors(index: Facts, { room, tokens, worth }: FindingsInput): string[] {
  const label = errorsLabel
  const each = Math.min(Math.max(Math.floor(tokens / 3), 24), 100)
  const lines = openErrors(index)
    .map((fact) => ({ fact, value: worth.ofAge(fact.seq) * worth.ofFocus(fact.text) }))
    .toSorted((a, b) => b.value - a.value || b.fact.seq - a.fact.seq)
    .slice(0, 40)
    .map(({ fact }) => {
      const told = fact.owner === '' || fact.text.startsWith(fact.owner)
      const owner = told ? '' : `${oneLine(room.clip(fact.owner, 24))}: `
      return `- ${owner}${room.clip(oneLine(fact.text), each)} [${fact.seq}]`
    })
  const taken = room.takeFitting(new Set(lines), tokens - room.cost(label))
  return taken.length === 0 ? [] : [...room.take([label]), ...taken.toReversed()]
}

/** The directory of the work, which paths are relative to. */
function environment(index: Facts, room: Room, tokens: number): string[] {
  return (index.root ?? '') === ''
    ? []
    : room.takeFitting([`Paths are relative to ${index.root}.`], tokens)
}
