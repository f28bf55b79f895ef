import { chronological, type Chronological } from '../../../log/order.ts'
import { contextOf } from '../../../log/context/context.ts'
import { cutsOf, type Cut } from '../../../evaluation/cuts.ts'
import { defaultPolicy } from '../../../compaction/policy.ts'
import { fewestNeeded, heldOf, neededAfter } from '../../../evaluation/forward-need.ts'
import { keptText, throughlineCompactor } from '../../../evaluation/throughline-compactor.ts'
import { lastTokens } from '../../../evaluation/baselines.ts'
import { humanSentences, humanWordsIn } from '../../../evaluation/human-words.ts'
import { artifactTrail, type Outcome } from '../../../evaluation/trail/artifact-trail.ts'
import { factsOf } from '../../../facts/facts-of.ts'
import { renderContext } from '../../../compaction/render/render.ts'
import { summaryRoleOf } from '../../../compaction/render/summary-block.ts'
import { tokensOf, visibleTextOf } from '../../../evaluation/visible.ts'
import type { Compactor } from '../../../evaluation/throughline-compactor.ts'
import type { MeasuredSession } from '../../../evaluation/measured-session.ts'
import type { Seq } from '../../../log/entry.ts'

/** Where a session is cut, and what its client made of the beginning there, if anything. */
export interface ExamCut {
  cut: Cut
  /** The newest entry before the cut. */
  seq: Seq
  own?: { compactor: Compactor; tokens: number }
}

/** A context of the beginning, and what code says of it. */
export interface ExaminedContext {
  name: string
  text: string
  /** Bytes / 4. */
  tokens: number
  /** Sentences of the human that stand word for word. */
  human: { said: number; held: number }
  /** Changed files that are named as they are now. */
  files: { changed: number; right: number }
  /** Names that the next 40 calls need. */
  names: { needed: number; held: number }
}

/** What a session is cut behind: an entry, the client's newest compaction, or half of its text. */
export function examCut(session: MeasuredSession, at: Seq | undefined): ExamCut | undefined {
  const { log } = session
  if (at !== undefined) {
    const length = log.findLastIndex(({ seq }) => seq <= at) + 1
    return length > 0 && length < log.length ? cutAt(session, length) : undefined
  }
  const compactions = log.flatMap(({ kind }, index) => (kind === 'checkpoint' ? [index] : []))
  const telling = compactions.filter((index) => needAfter(session, index) >= fewestNeeded)
  const index = telling.at(-1) ?? compactions.findLast((one) => needAfter(session, one) > 0)
  if (index !== undefined) return { ...cutAt(session, index), own: ownContext(session, index) }
  const tokens = tokensOf(visibleTextOf(log))
  const [middle] = cutsOf(session, [Math.floor(tokens / 2)])
  return middle && middle.length < log.length ? cutAt(session, middle.length) : undefined
}

function needAfter(session: MeasuredSession, index: number): number {
  return neededAfter(session, { size: 0, length: index + 1 }).size
}

function cutAt({ log }: MeasuredSession, length: number): ExamCut {
  const size = tokensOf(visibleTextOf(chronological(log.slice(0, length))))
  return { cut: { size, length }, seq: log[length - 1]?.seq ?? 0 }
}

/** What the model saw after a compaction that the session recorded. */
function ownContext({ log, harness }: MeasuredSession, index: number): NonNullable<ExamCut['own']> {
  const entry = log[index]
  const summary = entry?.kind === 'checkpoint' ? entry.summary : ''
  const compacted = chronological(log.slice(0, index + 1))
  const { items } = contextOf(compacted)
  const { messages } = renderContext(items, summaryRoleOf(defaultPolicy))
  const made = { log: compacted, summary, messages }
  const compactor = { name: `${harness}, as it was`, compact: async () => made }
  return { compactor, tokens: tokensOf(keptText(made)) }
}

/** What contexts of the beginning are examined by. */
export interface Examining {
  /** What a compactor makes of the beginning. */
  made: (compactor: Compactor) => Promise<string>
  /** What code says of a context. */
  examined: (name: string, text: string) => ExaminedContext
}

/** Makes and examines contexts of at most `keep` tokens (bytes / 4). */
export function examining(
  session: MeasuredSession,
  { cut }: ExamCut,
  { keep }: { keep: number },
): Examining {
  const { directories } = session
  const log = chronological(session.log.slice(0, cut.length))
  const outcome = outcomeOf(log, directories)
  const sentences = humanSentences(log)
  const needed = neededAfter(session, cut)
  return {
    made: async ({ compact }) => keptText(await compact({ log, keep, directories })),
    examined: (name, text) => {
      const { changed, right } = artifactTrail(outcome, text, directories)
      return {
        name,
        text,
        tokens: tokensOf(text),
        human: humanWordsIn(sentences, text),
        files: { changed, right },
        names: { needed: needed.size, held: heldOf(needed, text, directories) },
      }
    },
  }
}

/** The compactors that need no model: ours, the client's own, and its newest text alone. */
export function usualCompactors({ own }: ExamCut): Compactor[] {
  return [
    throughlineCompactor({ name: 'Throughline, no model' }),
    ...(own ? [own.compactor] : []),
    { ...lastTokens, name: 'newest messages alone' },
  ]
}

/** What became of each file that was changed, as the log’s facts have it. */
function outcomeOf(log: Chronological, directories: readonly string[]): Outcome {
  const outcome: Outcome = new Map()
  for (const { path, state } of factsOf(log, { directories }).files.values()) {
    if (state !== 'read')
      outcome.set(path, new Set(state === 'created' ? [state, 'edited'] : [state]))
  }
  return outcome
}
