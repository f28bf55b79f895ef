import { artifactTrail, inventedPaths } from './trail/artifact-trail.ts'
import { changedFiles } from './trail/changed-files.ts'
import { keptText } from './throughline-compactor.ts'
import { cutsOf } from './cuts.ts'
import { forwardNeedOf, heldOf, mean, neededAfter } from './forward-need.ts'
import { humanSentences, humanWordsIn, type HumanWords } from './human-words.ts'
import { reReadsAfter, reReadsIn } from './re-reads.ts'
import { tokensOf } from './visible.ts'
import { chronological } from '../log/order.ts'
import type { Compactor } from './throughline-compactor.ts'
import type { Cut } from './cuts.ts'
import type { ForwardNeed, NeedAtCut } from './forward-need.ts'
import type { ReReads } from './re-reads.ts'
import type { Chronological } from '../log/order.ts'
import type { Outcome } from './trail/artifact-trail.ts'
import type { MeasuredSession } from './measured-session.ts'
import type { Message } from '../log/message.ts'

/** The results of a compactor over all sessions and cuts at one size. */
export interface Result {
  compactor: string
  /** The most that it was allowed to keep, in tokens (bytes/4). */
  keep: number
  forwardNeed: ForwardNeed
  /** The tokens that it kept: mean and maximum. */
  kept: { mean: number; most: number }
  /** Contexts above the cap. */
  over: number
  trail: { changed: number; right: number; missed: string[] }
  invented: string[]
  orphans: number
  /** The human's sentences that stand word for word. */
  human: HumanWords
  /** Files that were read again in the next 40 calls. */
  reReads: ReReads
}

/** What each cut needs, computed once for all compactors. */
export interface Question {
  session: MeasuredSession
  cut: Cut
  needed: ReadonlySet<string>
}

/** What the calls after each cut need of what came before it. */
export function questionsOf(
  sessions: readonly MeasuredSession[],
  generic: ReadonlySet<string>,
  sizes?: readonly number[],
): Question[] {
  return sessions.flatMap((session) =>
    cutsOf(session, sizes).map((cut) => ({
      session,
      cut,
      needed: neededAfter(session, cut, generic),
    })),
  )
}

/** Compacts every session at every cut and measures what is kept. */
export async function measureAtCuts(
  compactor: Compactor,
  questions: readonly Question[],
  keep: number,
): Promise<Result> {
  const needs: NeedAtCut[] = []
  const sizes: number[] = []
  const trail: Result['trail'] = { changed: 0, right: 0, missed: [] }
  const invented: string[] = []
  let orphans = 0
  const human: HumanWords = { said: 0, held: 0 }
  const reReads: ReReads = { again: 0, spared: 0 }
  for (const question of questions) {
    const { session, cut, needed } = question
    const { directories, repository, name } = session
    const { log, outcome, sentences, again } = beforeCut(question)
    const compacted = await compactor.compact({ log, keep, directories })
    const kept = keptText(compacted)
    const held = heldOf(needed, kept, directories)
    needs.push({ session: name, repository, size: cut.size, needed: needed.size, held })
    sizes.push(tokensOf(kept))
    const found = artifactTrail(outcome, kept, directories)
    trail.changed += found.changed
    trail.right += found.right
    trail.missed.push(...found.missed.map((path) => `${name}@${cut.size}: ${path}`))
    const made = inventedPaths(compacted.summary, log, directories)
    invented.push(...made.map((path) => `${name}@${cut.size}: ${path}`))
    const words = humanWordsIn(sentences, kept)
    human.said += words.said
    human.held += words.held
    const read = reReadsIn(again, kept)
    reReads.again += read.again
    reReads.spared += read.spared
    const pairs = pairsOf(compacted.messages)
    orphans += pairs.orphanCalls + pairs.orphanResults
  }
  return {
    compactor: compactor.name,
    keep,
    forwardNeed: forwardNeedOf(needs),
    kept: { mean: Math.round(mean(sizes)), most: Math.max(...sizes) },
    over: sizes.filter((size) => size > keep).length,
    trail,
    invented,
    orphans,
    human,
    reReads,
  }
}

interface BeforeCut {
  log: Chronological
  outcome: Outcome
  sentences: string[]
  again: Map<string, string>
}

const known = new WeakMap<Question, BeforeCut>()

/** The messages before a cut, computed once for all compactors. */
function beforeCut(question: Question): BeforeCut {
  const { session, cut } = question
  let before = known.get(question)
  if (!before) {
    const log = chronological(session.log.slice(0, cut.length))
    before = {
      log,
      outcome: changedFiles(log, session.directories),
      sentences: humanSentences(log),
      again: reReadsAfter(session, cut),
    }
    known.set(question, before)
  }
  return before
}

interface Pairs {
  /** Calls without a result, except the pending ones of the newest step. */
  orphanCalls: number
  /** Results whose call isn't in the message before them. */
  orphanResults: number
}

/** Whether each call of a context has its one result, and each result its call. */
export function pairsOf(messages: readonly Message[]): Pairs {
  let open = new Set<string>()
  const pairs: Pairs = { orphanCalls: 0, orphanResults: 0 }
  for (const message of messages) {
    if (message.role !== 'tool') {
      pairs.orphanCalls += open.size
      open = new Set()
    }
    if (typeof message.content === 'string') continue
    for (const part of message.content) {
      if (part.type === 'tool-call') open.add(part.toolCallId)
      if (part.type === 'tool-result' && !open.delete(part.toolCallId)) pairs.orphanResults++
    }
  }
  return pairs
}
