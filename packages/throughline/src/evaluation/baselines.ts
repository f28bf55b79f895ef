import { namesOf } from './words.ts'
import { piecesOf, visibleText, visibleTextOf } from './visible.ts'
import type { Chronological } from '../log/order.ts'
import type { Compacted, CompactionRequest, Compactor } from './throughline-compactor.ts'

/** A call says more about what will be used again than a mention does. */
const weightOfCall = 3

/** After this share of the session a name is worth half. */
const halfLife = 1 / 5

/** The last N tokens of the session, word for word: nothing is selected. */
export const lastTokens: Compactor = {
  name: 'last tokens, verbatim',
  compact: async (request) => keep(request, newestText(request)),
}

/** Only names, ranked by use and recency: no summary, but hard to beat in what it contains. */
export const bareList: Compactor = {
  name: 'bare list of names',
  compact: async (request) => keep(request, rankedNames(request, 1)),
}

/** The same list in half of the space: what a summary should leave room for. */
export const halfList: Compactor = {
  name: 'list of names in half the budget',
  compact: async (request) => keep(request, rankedNames(request, 1 / 2)),
}

function keep({ log }: CompactionRequest, summary: string): Compacted {
  return { log, summary, messages: [{ role: 'user', content: summary }] }
}

function newestText({ log, keep }: CompactionRequest): string {
  const pieces: string[] = []
  let left = keep * 4
  for (let index = log.length - 1; index >= 0 && left > 0; index--) {
    const bytes = Buffer.from(visibleText(log[index] as Chronological[number]))
    pieces.unshift(
      bytes
        .subarray(Math.max(bytes.length - left, 0))
        .toString()
        .replace(/^\uFFFD+/, ''),
    )
    left -= bytes.length + 1
  }
  return pieces.join('\n')
}

function rankedNames({ log, keep, directories }: CompactionRequest, share: number): string {
  const uses = new Map<string, { weight: number; last: number }>()
  for (const [index, entry] of log.entries()) {
    for (const { type, text } of piecesOf(entry)) {
      for (const name of namesOf(text, directories)) {
        const weight = (uses.get(name)?.weight ?? 0) + (type === 'call' ? weightOfCall : 1)
        uses.set(name, { weight, last: index })
      }
    }
  }
  const score = ({ weight, last }: { weight: number; last: number }): number =>
    weight * 0.5 ** ((log.length - last) / (log.length * halfLife))
  const ranked = [...uses].toSorted(([, a], [, b]) => score(b) - score(a)).map(([name]) => name)
  return fitting(ranked, Math.floor(keep * share * 4))
}

function fitting(names: readonly string[], bytes: number): string {
  let left = bytes + 1
  const end = names.findIndex((name) => (left -= name.length + 1) < 0)
  return (end < 0 ? names : names.slice(0, end)).join(' ')
}

/** Everything that was said: the upper bound for any compactor. */
export const everything: Compactor = {
  name: 'everything',
  compact: async (request) => keep(request, visibleTextOf(request.log)),
}
