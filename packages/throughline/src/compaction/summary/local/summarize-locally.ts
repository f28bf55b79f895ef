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
import { chosenNames } from './name-list.ts'
import { Room } from './room.ts'
import { StandingWords } from './standing-words.ts'
import { defaultTemplate, withCoreSections } from '../template.ts'
import { worthIn } from './worth.ts'
import type { LocalSummaryRequest } from './request.ts'

/** How a summary's room is shared, as parts of its budget. What is not used goes to names. */
const shares = {
  latest: 0.12,
  changed: 0.12,
  opening: 0.05,
  between: 0.04,
  open: 0.05,
  errors: 0.05,
  earlier: 0.12,
  conclusions: 0.16,
  commands: 0.06,
  done: 0.03,
  files: 0.14,
}

/** The request in the smallest of summaries, in tokens. */
const smallestLatest = 24

/** Each time the text does not fit, it is made again for this much of the room. */
const smaller = 0.93

/**
 * Writes a summary from the index alone: no model, no failure, the same bytes for the same
 * facts, never more than `budget`. The sections come first and stand by themselves; what
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
  const part = (share: number): number => Math.floor(tokens * share)
  const told = { room, worth, beside }

  const rules = instructions(index, room)
  const latest = latestRequest(index, {
    room,
    tokens: Math.min(Math.max(part(shares.latest), smallestLatest), room.left),
    beside,
  })
  const changed = changedFiles(index, room, part(shares.changed))
  const open = openTodos(index, room, part(shares.open))
  const opening = openingRequest(index, room, Math.min(part(shares.opening), room.left))
  const between = requestsBetween(index, room, part(shares.between))
  const errors = unresolvedErrors(index, { ...told, tokens: part(shares.errors) })
  const earlier = earlierSummary(previous, {
    room,
    tokens: Math.min(part(shares.earlier), room.left),
  })
  const found = conclusions(index, { ...told, tokens: part(shares.conclusions) })
  const ran = commands(index, { room, worth, tokens: part(shares.commands) })
  const done = doneTodos(index, room, part(shares.done))
  const place = environment(index, room, room.left)
  const files = fileLines(index, { room, worth, tokens: part(shares.files) })

  const sections = new Map([
    ['goal', [...opening, ...between, ...latest]],
    ['instructions', rules],
    ['discoveries', [...earlier, ...found, ...errors]],
    ['accomplished', [...changed, ...ran, ...done, ...open]],
    ['relevant files', [...place, ...files.map(({ line }) => line)]],
  ])
  const standing = new StandingWords(index.root)
  standing.add(beside)
  for (const lines of sections.values()) standing.add(lines.join('\n'))
  const names = chosenNames(index, { worth, standing, characters: charactersLeft(request, room) })
  sections.set('relevant files', [...place, ...groupedNames(files, names)])
  return layOut(template, sections)
}

/** Names are denser than prose: their own density says how many fit. */
function charactersLeft({ index }: LocalSummaryRequest, room: Room): number {
  const sample: string[] = []
  for (const name of index.names.keys()) if (sample.push(name) >= 200) break
  return room.characters(sample.join(' '), room.left)
}
