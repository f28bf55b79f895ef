import { namesOf, wordsOf, isPath } from './words.ts'
import { piecesOf, visibleTextOf } from './visible.ts'
import type { Cut } from './cuts.ts'
import type { MeasuredSession } from './measured-session.ts'

/** The tool calls after a cut whose inputs show what was needed. */
const callsAhead = 40

/** Cuts with fewer needed words say nothing. */
export const fewestNeeded = 10

/**
 * What an agent needs after a cut: paths and identifiers that occur before it and are used in the
 * inputs of the next 40 tool calls, without having reappeared anywhere since the cut. Generic
 * identifiers don't count.
 */
export function neededAfter(
  session: MeasuredSession,
  cut: Cut,
  generic: ReadonlySet<string> = new Set(),
): Set<string> {
  const known = namesBefore(session, cut)
  const seen = new Set<string>()
  const needed = new Set<string>()
  let calls = 0
  for (const entry of session.log.slice(cut.length)) {
    for (const { type, text } of piecesOf(entry)) {
      if (type === 'call' && ++calls > callsAhead) return needed
      for (const name of namesOf(text, session.directories)) {
        const wanted = type === 'call' && !seen.has(name) && known.has(name) && !generic.has(name)
        if (wanted) needed.add(name)
        seen.add(name)
      }
    }
  }
  return needed
}

function namesBefore(session: MeasuredSession, cut: Cut): Set<string> {
  const names = new Set<string>()
  for (const entry of session.log.slice(0, cut.length)) {
    for (const { text } of piecesOf(entry)) {
      for (const name of namesOf(text, session.directories)) names.add(name)
    }
  }
  return names
}

/** How many of the needed words are in the kept text as whole words. */
export function heldOf(
  needed: ReadonlySet<string>,
  kept: string,
  directories: readonly string[],
): number {
  const words = wordsOf(kept, directories)
  return [...needed].filter((name) => words.has(name)).length
}

export interface NeedAtCut {
  session: string
  repository: string
  size: number
  needed: number
  held: number
}

/** Of what was needed next, the share that was kept. */
export interface ForwardNeed {
  /** Mean over repositories of the pooled share, 0 to 1. */
  mean: number
  worst: NeedAtCut | undefined
  cuts: number
  repositories: number
}

/** The main figure: the mean over repositories of the pooled share, and the worst cut. */
export function forwardNeedOf(cuts: readonly NeedAtCut[]): ForwardNeed {
  const counted = cuts.filter(({ needed }) => needed >= fewestNeeded)
  const repositories = [...new Set(counted.map(({ repository }) => repository))]
  const shares = repositories.map((name) => {
    const group = counted.filter(({ repository }) => repository === name)
    return total(group, 'held') / total(group, 'needed')
  })
  return {
    mean: mean(shares),
    worst: counted.toSorted((a, b) => a.held / a.needed - b.held / b.needed)[0],
    cuts: counted.length,
    repositories: repositories.length,
  }
}

function total(cuts: readonly NeedAtCut[], field: 'held' | 'needed'): number {
  return cuts.reduce((sum, cut) => sum + cut[field], 0)
}

/** Identifiers of library calls occur in sessions of this many repositories. */
const repositoriesOfGeneric = 3

/** Identifiers that occur in sessions of three or more repositories: they don't count. */
export function genericIdentifiers(sessions: readonly MeasuredSession[]): Set<string> {
  const repositories = new Map<string, Set<string>>()
  for (const session of sessions) {
    for (const name of namesOf(visibleTextOf(session.log), session.directories)) {
      if (isPath(name)) continue
      const seenIn = repositories.get(name) ?? new Set()
      repositories.set(name, seenIn.add(session.repository))
    }
  }
  const generic = [...repositories].filter(([, seenIn]) => seenIn.size >= repositoriesOfGeneric)
  return new Set(generic.map(([name]) => name))
}

/** 0 of none. */
export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
}
