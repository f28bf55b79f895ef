import { thoughts } from './agent.ts'
import type { ServedRequest } from 'throughline/testing/provider'

/** Where a scripted agent folds, counted in its calls, and what it says that it learned. */
export const folding = {
  opened: 2,
  closed: 5,
  /** The files that are read in between. */
  files: [2, 3],
  task: 'which ships wait in the second and the third file?',
  learned:
    'Both files are lists of ships with their weather and their harbours: notes-2.txt has the word marigold-2 in its middle, notes-3.txt has marigold-3. Nothing was changed, and nothing failed.',
} as const

/** The calls of an agent that folds what it read in between. */
export const foldCalls: ReadonlyMap<number, { name: string; input: Record<string, unknown> }> =
  new Map([
    [folding.opened, { name: 'fold', input: { open: folding.task } }],
    [folding.closed, { name: 'fold', input: { close: folding.learned } }],
  ])

/** What is wrong with how a sub-task was folded, from the provider's side. */
export function foldProblems(main: readonly ServedRequest[]): string[] {
  const lacking = main.filter(({ tools }) => !tools.includes('fold')).length
  if (lacking > 0) return [`${lacking} requests do not offer fold`]
  // Each call is answered by the next request.
  const closing = main[folding.closed - 1]
  const after = main.slice(folding.closed)
  const [folded] = after
  if (!closing || !folded) return [`there are only ${main.length} requests`]
  const problems: string[] = []
  const inside = folding.files.map((file) => thoughts(file).slice(0, 200))
  if (!inside.every((text) => textOf(closing).includes(text))) {
    problems.push('the steps were gone before the sub-task was closed')
  }
  if (folded.tokens >= closing.tokens) {
    problems.push(`the context did not shrink: ${closing.tokens} to ${folded.tokens}`)
  }
  for (const request of after) {
    const text = textOf(request)
    if (!learnedIn(request)) problems.push(`request ${request.number} lacks what was learned`)
    if (inside.some((piece) => text.includes(piece))) {
      problems.push(`request ${request.number} has steps that were folded`)
    }
  }
  return problems
}

/** Its own words as text, not in its call. */
function learnedIn({ said }: ServedRequest): boolean {
  return said.some((part) => part.type === 'text' && part.text.includes(folding.learned))
}

const reminder = '[Throughline, not the user: the context will be summarized soon.'

/**
 * What is wrong with how an agent was reminded: at most once in a window, in the same words and
 * behind the same result ever after, and again only behind a compaction.
 */
export function reminderProblems(
  main: readonly ServedRequest[],
  { compactions }: { compactions: number },
): string[] {
  const problems: string[] = []
  const seen: string[] = []
  let before: string | undefined
  for (const { number, said } of main) {
    const places = said.flatMap((part, index) =>
      part.type === 'text' && part.text.includes(reminder) ? [index] : [],
    )
    if (places.length > 1) problems.push(`request ${number} reminds ${places.length} times`)
    const [place] = places
    const part = place === undefined ? undefined : said[place]
    const behind = place === undefined ? undefined : said[place - 1]
    if (part && behind?.type !== 'result') problems.push(`request ${number} reminds behind words`)
    const now = part && JSON.stringify([behind, part])
    if (now !== undefined && now !== before) {
      if (before !== undefined) problems.push(`request ${number} reminds in other words`)
      if (seen.includes(now)) problems.push(`request ${number} reminds again of the same`)
      seen.push(now)
    }
    before = now
  }
  // Once for each window: the first one, and those behind the compactions.
  if (seen.length > compactions + 1) {
    problems.push(`${seen.length} reminders, in ${compactions} compactions`)
  }
  if (seen.length < 2) problems.push(`${seen.length} reminders, and not again behind a compaction`)
  return problems
}

function textOf({ said }: ServedRequest): string {
  return said.map((part) => ('text' in part ? part.text : '')).join('\n')
}
