import { coreHeadings } from '../../facts/summary/sections/core-sections.ts'
import { lines } from '../../testing/generate/agent.ts'
import type { ServedAnswer } from '../../testing/provider/index.ts'

/** Files that the task reads in each of its two turns. */
export const filesPerTurn = 3

export const lastWords = 'All six files are read.'

const fileTokens = 1_200

export function fileOf(path: string): string {
  return lines(path, fileTokens)
}

export const paths = Array.from({ length: 2 * filesPerTurn }, (_, n) => `src/part-${n + 1}.ts`)

/** A rule that every summary has to keep. */
export const rule = 'Never write to any of them.'

/** What the human asks, turn by turn. */
export const questions = [
  `Read the first three parts under src. ${rule}`,
  'Now read the other three.',
]

const reads = paths.map((path): ServedAnswer => ({
  // What the model says itself no pruning can take away: a summary is needed.
  text: `I read ${path}, and find: ${lines(`note on ${path}`, 1_200)}`,
  calls: [{ name: 'read', input: { path } }],
  chunk: 1_000,
}))

/** What a model without any fault answers, in order. */
export const answers: readonly ServedAnswer[] = [
  ...reads.slice(0, filesPerTurn),
  { text: 'Three files are read.' },
  ...reads.slice(filesPerTurn),
  { text: lastWords },
]

/** A summary that nothing is wrong with. */
export const goodSummary = coreHeadings
  .map((heading) => `## ${heading}\nThe parts under src are read one after the other.`)
  .join('\n\n')
