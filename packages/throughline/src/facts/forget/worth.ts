import type { CommandFact, FileFact, NameFact } from '../facts.ts'
import type { Seq } from '../../log/entry.ts'

/*
 * What names, files and commands are worth: the order in which a summary takes them, and the order
 * in which a long session keeps them.
 */

/**
 * A name in the input of a call was written by the agent and will be written again; a name in an
 * output was only seen. Measured on real sessions (`npm run bench:fidelity`): a factor of three is
 * too little when space is short, and beyond six nothing changes.
 */
const weightOfCall = 6

/**
 * After this share of the session, a fact is worth half. The result is the same anywhere between a
 * quarter and a half.
 */
const halfLife = 1 / 3

/** Falls from 1 to ⅛ over a session whose newest entry is `now`. */
export function worthOfAge(seq: Seq, now: Seq): number {
  return 0.5 ** (Math.max(now - seq, 0) / Math.max(now * halfLife, 1))
}

/** How much and how recently something was used. */
export function worthOfUse(
  { calls, mentions, lastSeq }: { calls: number; mentions: number; lastSeq: Seq },
  now: Seq,
): number {
  return (weightOfCall * calls + mentions) * worthOfAge(lastSeq, now)
}

/**
 * The mean of two measures: how much and how recently a name was used, and the sum of its uses,
 * each weighted by time. On real sessions, both together work better than either alone.
 * @param scale brings weights, which can only be compared with each other, to the range of uses.
 */
export function worthOfName(fact: NameFact, now: Seq, scale = 1): number {
  const use = worthOfUse(fact, now)
  return fact.weight === undefined ? use : Math.sqrt(use * fact.weight * scale)
}

export function worthOfFile(file: FileFact, name: NameFact | undefined, now: Seq): number {
  const used = {
    calls: Math.max(name?.calls ?? 0, file.reads + 2 * file.edits),
    mentions: name?.mentions ?? 0,
    lastSeq: Math.max(name?.lastSeq ?? 0, file.seqs.at(-1) ?? 0),
  }
  return worthOfUse(used, now)
}

/** How much more the outcome of a test or build says about the state of the work. */
const weightOfCheck = 3

export function worthOfCommand({ purpose, outcome, runs, seqs }: CommandFact, now: Seq): number {
  const tells = purpose === 'check' ? weightOfCheck : 1
  const failed = outcome === 'failed' ? 2 : 1
  return tells * failed * Math.sqrt(runs) * worthOfAge(seqs.at(-1) ?? 0, now)
}

/** What stands in any program of its language, before a dot. */
const libraries = new Set(
  `t b m s err e ctx fmt os io strings strconv bytes errors testing time context filepath path sort sync
  json http net url bufio regexp math reflect exec log slog slices maps atomic rand console object
  array promise process math string number date buffer module exports require import document window
  vscode react self this cls np pd sys re std vec option result assert expect vi jest fs util`.split(
    /\s+/,
  ),
)

/** `M18.5`, `1_000_000`: a drawing or a number. */
const WORD = /[A-Za-z]{2}/

/**
 * Whether a summary would ever list a name: one of a library says nothing about the work, and a
 * ticket number says nothing without its sentence.
 */
export function isListed({ name, kind }: NameFact): boolean {
  if (kind === 'ticket') return false
  if (kind !== 'identifier') return true
  if (!WORD.test(name)) return false
  const dot = name.indexOf('.')
  return dot <= 0 || !libraries.has(name.slice(0, dot).toLowerCase())
}
