import { namesBelow, rankingOfNames } from '../../../facts/summary/name-list.ts'
import { namesWithin, Room } from '../../../facts/summary/room.ts'
import { SaidWords } from '../../../facts/summary/clip-words.ts'
import { worthIn } from '../../../facts/summary/ranking.ts'
import { formatSections, parseSections, saysNothing } from '../../../facts/sections.ts'
import { headingKey } from '../../../facts/heading-key.ts'
import { relevantFiles } from '../../../facts/summary/sections/relevant-files.ts'
import type { Facts } from '../../../facts/facts.ts'

export interface RecordNamesInput<T extends number = number> {
  facts: Facts
  /** The most that the summary may take with them, in the unit of `count`. */
  budget: NoInfer<T>
  count: (text: string) => T
  focus?: string | undefined
  /** Texts that appear next to the summary. */
  beside: readonly string[]
}

const label = 'Names from the record:'
const section = headingKey(relevantFiles.heading)

// Fewer tokens of names than this are of no use.
const leastRoom = 40

/**
 * Gives the room that a model's summary leaves unused to paths and identifiers that the agent may
 * have to write again, based on how the log shows them being used. A model keeps the thread and
 * forgets the names; with both together, an agent has to look up the least (`npm run bench`).
 */
export function withRecordNames<T extends number>(
  summary: string,
  { facts: index, budget, count, focus, beside }: RecordNamesInput<T>,
): string {
  const parsed = parseSections(withoutRecordNames(summary))
  const files = parsed.sections.find(({ heading }) => headingKey(heading) === section)
  if (!files) return summary
  const bare = formatSections(parsed)
  const known = new SaidWords(index.root)
  for (const text of [bare, ...beside]) known.add(text)
  const ranking = rankingOfNames(index, worthIn({ seq: index.seq, focus }))
  const best = namesBelow([], ranking, known)
  const body = saysNothing(files.body) ? '' : files.body
  // Joined lines may count slightly more than the sum of single lines.
  for (let room = budget - count(bare); room > leastRoom; room = Math.floor(room * 0.9)) {
    const lines = namesWithin(new Room(room - count(`${label}\n`), count), best)
    if (lines.length === 0) break
    files.body = [body, label, ...lines].filter((line) => line !== '').join('\n')
    const text = formatSections(parsed)
    if (count(text) <= budget) return text
  }
  return bare
}

/** A summary without the names that were added to it; the log still has them. */
export function withoutRecordNames(summary: string): string {
  if (!summary.includes(label)) return summary
  const parsed = parseSections(summary)
  for (const part of parsed.sections) {
    if (headingKey(part.heading) !== section) continue
    const lines = part.body.split('\n')
    const start = lines.indexOf(label)
    if (start >= 0) part.body = lines.slice(0, start).join('\n')
  }
  return formatSections(parsed)
}
