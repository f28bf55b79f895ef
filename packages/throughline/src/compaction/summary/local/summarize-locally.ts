import { changedFiles } from './changed-files.ts'
import { commands, commandLine, rankedCommands } from './commands.ts'
import { earlierSummary } from './earlier-summary.ts'
import { fileLines } from './file-lines.ts'
import { conclusions, environment, unresolvedErrors } from './findings.ts'
import { latestRequest, openingRequest, requestsBetween } from './goal.ts'
import { groupedNames, rankedNames } from './name-list.ts'
import { quotedLines, ruleLines } from '../human-lines.ts'
import { namesWithin, Room } from './room.ts'
import { SaidWords } from './said-words.ts'
import { defaultTemplate, withCoreSections, type Template } from '../template.ts'
import { headingKey } from '../../../facts/sections.ts'
import { worthIn, type Worth } from './worth.ts'
import type { LocalSummaryRequest, Facts } from './request.ts'
import { clipEnd, oneLine } from './clip-words.ts'

/** Required parts, as shares of the budget, however small it is. */
const musts = { latest: 0.12, changed: 0.1, opening: 0.03, open: 0.05, errors: 0.03 }

/**
 * Parts that make a summary good to read, as shares of a budget that is large enough for all of
 * them. Each is a cap; what one part leaves unused goes to names.
 */
const wants = {
  between: 0.05,
  earlier: 0.14,
  conclusions: 0.22,
  commands: 0.08,
  done: 0.03,
  files: 0.12,
  other: 0.08,
}

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
  let tokens: number = request.budget
  for (let attempt = 0; attempt < 12; attempt++) {
    const text = compose(request, Math.floor(tokens))
    const size = request.count(text)
    if (size <= request.budget) return text
    tokens *= Math.min(smaller, request.budget / size)
  }
  return layOut(templateOf(request), new Map())
}

function templateOf({ template }: LocalSummaryRequest) {
  return withCoreSections(template ?? defaultTemplate)
}

function compose(request: LocalSummaryRequest, tokens: number): string {
  const { facts: index, count, focus, previous } = request
  const template = templateOf(request)
  const beside = (request.beside ?? []).join('\n')
  const worth = worthIn({ seq: index.seq, focus })
  const room = new Room(tokens - count(skeleton(template)), count)
  const scale = Math.min(Math.max(tokens / roomy, leastOfWants), 1)
  const want = (part: keyof typeof wants): number => {
    const share = Math.floor(tokens * scale * wants[part])
    return share < leastOfPart ? 0 : share
  }
  const must = (part: keyof typeof musts): number => Math.floor(tokens * musts[part])
  const inherited = (): number => Math.max(Math.floor(tokens * shareOfInherited), leastOfPart)
  const told = { room, worth, beside }

  const standing = Math.min(request.standing ?? room.left, room.left)
  const rules = room.take(ruleLines(index, { tokens: standing, count }))
  const latest = latestRequest(index, {
    room,
    tokens: Math.min(Math.max(must('latest'), smallestLatest), room.left),
    beside,
  })
  const changed = changedFiles(index, room, must('changed'))
  const open = openTodos(index, room, must('open'))
  const opening = openingRequest(index, room, Math.min(must('opening'), room.left))
  const between = requestsBetween(index, room, want('between'))
  const errors = unresolvedErrors(index, { ...told, tokens: must('errors') })
  const earlier = earlierSummary(previous, {
    room,
    facts: index,
    tokens: Math.min(index.inherited === undefined ? want('earlier') : inherited(), room.left),
  })
  const quoted = quotedLines(index)
  const doubtful = room.takeFitting(quoted, want('other'))
  const found = conclusions(index, { ...told, tokens: want('conclusions') })
  const ran = commands(index, { room, worth, tokens: want('commands') })
  const done = doneTodos(index, room, want('done'))
  const place = environment(index, room, room.left)
  const files = fileLines(index, { room, worth, tokens: want('files') })

  const sections = new Map<string, readonly string[]>([
    ['goal', [...opening, ...between, ...latest]],
    ['instructions', rules],
    ['discoveries', [...earlier, ...(doubtful.length > 1 ? doubtful : []), ...found, ...errors]],
    ['accomplished', [...changed, ...ran, ...done, ...open]],
    ['relevant files', [...place, ...files.map(({ line }) => line)]],
  ])
  for (const { heading } of template.sections) {
    if (sections.has(headingKey(heading))) continue
    const lines = otherSection(heading, index, { room, worth, tokens: want('other') })
    sections.set(headingKey(heading), lines)
  }
  const said = new SaidWords(index.root)
  said.add(beside)
  for (const lines of sections.values()) said.add(lines.join('\n'))
  const ranked = rankedNames(index, { worth, said })
  const lines = namesWithin(room, ranked.length, (count) =>
    groupedNames(files, ranked.slice(0, count)),
  )
  sections.set('relevant files', [...place, ...lines])
  return layOut(template, sections)
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

const longestTodo = 200

/** What is in progress and what is still to do, by the assistant's own list. */
function openTodos(index: Facts, room: Room, tokens: number): string[] {
  const open = index.todos.filter(({ status }) => status !== 'done')
  const lines = open.map(({ text, status, seq }) => {
    const now = status === 'active' ? 'under way: ' : ''
    return `- ${now}${clipEnd(oneLine(text), longestTodo)} [${seq}]`
  })
  const newest = Math.max(...open.map(({ seq }) => seq))
  return labelled(`Still open, as the assistant's list last said [${newest}]:`, lines, room, tokens)
}

/** What the assistant checked off. */
function doneTodos(index: Facts, room: Room, tokens: number): string[] {
  const done = index.todos.filter(({ status }) => status === 'done')
  const lines = done.map(({ text, seq }) => `- ${clipEnd(oneLine(text), longestTodo)} [${seq}]`)
  return labelled('Done:', lines, room, tokens)
}

function labelled(label: string, lines: readonly string[], room: Room, tokens: number): string[] {
  const taken = room.takeFitting(lines, tokens - room.cost(label))
  return taken.length === 0 ? [] : [...room.take([label]), ...taken]
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
  const found = index.conclusions
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
