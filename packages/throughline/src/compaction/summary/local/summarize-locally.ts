import { changedFiles } from './changed-files.ts'
import { commands } from './commands.ts'
import { doneTodos, openTodos } from './todos.ts'
import { earlierSummary } from './earlier-summary.ts'
import { fileLines } from './file-lines.ts'
import { conclusions, environment, unresolvedErrors } from './findings.ts'
import { latestRequest, openingRequest, requestsBetween } from './goal.ts'
import { groupedNames } from './grouped-names.ts'
import { instructions } from './instructions.ts'
import { layOut, skeleton } from './layout.ts'
import { rankedNames } from './name-list.ts'
import { namesWithin } from './names-within.ts'
import { Room } from './room.ts'
import { StandingWords } from './standing-words.ts'
import { otherSection } from './other-section.ts'
import { defaultTemplate, headingKey, withCoreSections } from '../template.ts'
import { worthIn } from './worth.ts'
import type { LocalSummaryRequest } from './request.ts'

/** What must be told, as shares of the budget, however small it is. */
const musts = { latest: 0.12, changed: 0.1, opening: 0.03, open: 0.05, errors: 0.03 }

/**
 * What makes a summary good to read, as shares of a budget that is large enough for all of
 * it. Each is a cap: what one part leaves goes to names.
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

/**
 * Below this many tokens the wants shrink with the budget, and faster than it: a name costs
 * the same in a small summary, and is worth more than prose for not having to look it up.
 */
const roomy = 6_500
const leastOfWants = 0.1

/** With less room than this, in tokens, a part says nothing that can be used. */
const leastOfPart = 40

/** The request in the smallest of summaries, in tokens. */
const smallestLatest = 24

/** Each time the text does not fit, it is made again for this much of the room. */
const smaller = 0.93

/**
 * Writes a summary from the index alone: no model, no failure, the same bytes for the same
 * facts, never more than `budget` (which must hold the headings). The sections come first and stand by themselves; what
 * room they leave goes to the names that an agent may have to write again, those worth
 * most for their length first. When room is short, names go first, then findings and
 * commands; changed files, the latest request and the rules go last.
 * @example
 * const summary = summarizeLocally({ index, budget: 4_000, count })
 */
export function summarizeLocally(request: LocalSummaryRequest): string {
  let tokens = request.budget
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
  const { index, count, focus, previous } = request
  const template = templateOf(request)
  const beside = (request.standing ?? []).join('\n')
  const worth = worthIn({ seq: index.seq, focus })
  const room = new Room(tokens - count(skeleton(template)), count)
  const scale = Math.min(Math.max(tokens / roomy, leastOfWants), 1)
  const want = (part: keyof typeof wants): number => {
    const share = Math.floor(tokens * scale * wants[part])
    return share < leastOfPart ? 0 : share
  }
  const must = (part: keyof typeof musts): number => Math.floor(tokens * musts[part])
  const told = { room, worth, beside }

  const rules = instructions(index, room)
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
    tokens: Math.min(want('earlier'), room.left),
  })
  const found = conclusions(index, { ...told, tokens: want('conclusions') })
  const ran = commands(index, { room, worth, tokens: want('commands') })
  const done = doneTodos(index, room, want('done'))
  const place = environment(index, room, room.left)
  const files = fileLines(index, { room, worth, tokens: want('files') })

  const sections = new Map<string, readonly string[]>([
    ['goal', [...opening, ...between, ...latest]],
    ['instructions', rules],
    ['discoveries', [...earlier, ...found, ...errors]],
    ['accomplished', [...changed, ...ran, ...done, ...open]],
    ['relevant files', [...place, ...files.map(({ line }) => line)]],
  ])
  for (const { heading } of template.sections) {
    if (sections.has(headingKey(heading))) continue
    const lines = otherSection(heading, index, { room, worth, tokens: want('other') })
    sections.set(headingKey(heading), lines)
  }
  const standing = new StandingWords(index.root)
  standing.add(beside)
  for (const lines of sections.values()) standing.add(lines.join('\n'))
  const ranked = rankedNames(index, { worth, standing })
  const lines = namesWithin(room, ranked.length, (count) =>
    groupedNames(files, ranked.slice(0, count)),
  )
  sections.set('relevant files', [...place, ...lines])
  return layOut(template, sections)
}
