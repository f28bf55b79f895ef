import { artifactTrail, inventedPaths, type Outcome } from './trail/artifact-trail.ts'
import { changedFiles } from './trail/changed-files.ts'
import { keptText, type Compactor } from './throughline-compactor.ts'
import { cutsOf, type Cut } from './cuts.ts'
import {
  forwardNeedOf,
  heldOf,
  mean,
  neededAfter,
  type ForwardNeed,
  type NeedAtCut,
} from './forward-need.ts'
import { humanSentences, humanWordsIn, type HumanWords } from './human-words.ts'
import { tokensOf, outputText } from './visible.ts'
import { chronological, type Chronological } from '../log/order.ts'
import type { MeasuredSession } from './measured-session.ts'
import type { Message, ToolCallPart } from '../log/message.ts'

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

/** The calls after a cut that are looked at. */
const callsAhead = 40

/** Shorter lines are in many files. */
const shortestLine = 20
const linesLookedAt = 400
/** Of what was read before, what must be in the context so that it need not be read again. */
const enough = 0.5

/** Files that were read before a cut and are read again after it. */
interface ReReads {
  /** Read again in the next 40 calls. */
  again: number
  /** Of these, the ones whose content is in the context: reading them again brings nothing. */
  spared: number
}

/** What was read before a cut and again after it: by path, what was seen of it last. */
export function reReadsAfter({ log }: MeasuredSession, cut: Cut): Map<string, string> {
  const seen = new Map<string, string>()
  const paths = new Map<string, string>()
  const again = new Map<string, string>()
  let calls = 0
  for (const [index, entry] of log.entries()) {
    if (entry.kind !== 'message' || typeof entry.message.content === 'string') continue
    for (const part of entry.message.content) {
      if (part.type === 'tool-call') {
        const path = pathRead(part)
        if (index >= cut.length && ++calls > callsAhead) return again
        if (path === undefined) continue
        if (index < cut.length) paths.set(part.toolCallId, path)
        else if (seen.has(path)) again.set(path, seen.get(path) ?? '')
      }
      if (part.type === 'tool-result' && index < cut.length) {
        const path = paths.get(part.toolCallId)
        if (path !== undefined) seen.set(path, outputText(part.output))
      }
    }
  }
  return again
}

/** How many of these are in what is kept. */
export function reReadsIn(again: ReadonlyMap<string, string>, kept: string): ReReads {
  const spared = [...again.values()].filter((text) => {
    const lines = text
      .split('\n')
      .map((line) => line.replace(/^\s*\d+\s*[→|:\t]?\s?/, '').trim())
      .filter((line) => line.length >= shortestLine)
      .slice(0, linesLookedAt)
    return (
      lines.length > 0 &&
      lines.filter((line) => kept.includes(line)).length >= lines.length * enough
    )
  })
  return { again: again.size, spared: spared.length }
}

const reading = /^(?:read|read_file|readfile|view|view_file|open_file|cat)$/i
const shell = /^(?:bash|shell|shell_command|exec_command|run_shell_command)$/i
const printing = /^(?:cat|head|tail|sed -n\s+\S+|nl -ba)\s+(?:-\S+\s+)*([^\s|;&<>]+)\s*$/

function pathRead({ toolName, input }: ToolCallPart): string | undefined {
  if (typeof input !== 'object' || input === null) return undefined
  const fields = input as Record<string, unknown>
  if (reading.test(toolName)) {
    const path = [fields['file_path'], fields['filePath'], fields['path']].find(
      (value) => typeof value === 'string',
    )
    return path as string | undefined
  }
  const command = fields['command'] ?? fields['cmd']
  if (!shell.test(toolName) || typeof command !== 'string') return undefined
  return printing.exec(command.slice(0, 400))?.[1]
}
