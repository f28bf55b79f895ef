import { latest, said, stands } from './goal.ts'
import type { Place } from '../../statements/rank-statements.ts'
import type { Lines, Writing } from './section.ts'

/** What names take of a small summary and of a larger one. */
const namesOfSmall = 0.04
const namesOfLarge = 0.08
const small = 3_250
/** In tokens: statements that explain their names are worth more of a large room. */
const mostNames = 400

/** What files take of a summary that is large enough for all that it could say. */
export const shareOfFiles = 0.06

const chosen = new WeakMap<Writing, Record<Place, Lines>>()

/** The statements that the summary makes, by section: chosen together, from all that is left but the room for names and files. */
export function statementLines(writing: Writing): Record<Place, Lines> {
  const known = chosen.get(writing)
  if (known) return known
  const { room, tokens, beside, linesOf, want } = writing
  const names = Math.floor(tokens * (tokens < small ? namesOfSmall : namesOfLarge))
  const reserved = Math.min(names, mostNames) + want(shareOfFiles)
  const heard = [...linesOf(said), ...linesOf(latest), beside.text].join('\n')
  const lines = writing.statements(room.left - reserved, heard, linesOf(stands).join('\n'))
  for (const each of Object.values(lines)) room.take(each)
  chosen.set(writing, lines)
  return lines
}
