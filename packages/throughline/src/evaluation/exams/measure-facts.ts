import { factKinds, type Exam, type ExamFact, type FactKind } from './exam.ts'
import { factsStated } from './facts-stated.ts'
import { keptText, type Compactor } from '../throughline-compactor.ts'
import { tokensOf } from '../visible.ts'
import type { MeasuredSession } from '../measured-session.ts'

/** An exam, and its session as it was when it had to be compacted. */
export interface Sitting {
  exam: Exam
  session: MeasuredSession
}

/** How many facts of one session a text states. */
export interface FactsKept {
  case: string
  session: string
  /** Who kept it. */
  compactor: string
  /** The most that it was allowed to keep, in tokens (bytes/4); none for a text that was given. */
  keep: number | undefined
  /** The tokens that it kept. */
  tokens: number
  kinds: KindKept[]
  missed: readonly ExamFact[]
}

/** How many facts of one kind are still stated. */
interface KindKept {
  kind: FactKind
  stated: number
  of: number
}

/** Compacts each session where its exam was written, and counts the facts that are still stated. */
export async function measureFacts(
  compactor: Compactor,
  sittings: readonly Sitting[],
  keep: number,
): Promise<FactsKept[]> {
  const rows: FactsKept[] = []
  for (const { exam, session } of sittings) {
    const { log, directories } = session
    const kept = keptText(await compactor.compact({ log, keep, directories }))
    rows.push({ ...markText(exam, kept), session: session.name, compactor: compactor.name, keep })
  }
  return rows
}

/** Counts the facts that a text states. */
export function markText(exam: Exam, text: string): FactsKept {
  const stated = new Set(factsStated(exam, text))
  const kinds = factKinds.map((kind): KindKept => {
    const own = exam.facts.filter((fact) => fact.kind === kind)
    return { kind, stated: own.filter((fact) => stated.has(fact)).length, of: own.length }
  })
  return {
    case: exam.case,
    session: exam.session,
    compactor: 'a text',
    keep: undefined,
    tokens: tokensOf(text),
    kinds,
    missed: exam.facts.filter((fact) => !stated.has(fact)),
  }
}

/** Several sessions together. */
export interface FactsShare {
  /** The mean share of the facts, 0 to 1. */
  all: number
  /** The lowest share of a session. */
  worst: number
  /** The share of each kind, of all sessions together; those without any are left out. */
  kinds: { kind: FactKind; share: number }[]
  tokens: number
  /** Facts stated per 1,000 tokens kept. */
  perThousand: number
}

/** Pools the sessions that a compactor kept facts of; `undefined` without any. */
export function pooledFacts(rows: readonly FactsKept[]): FactsShare | undefined {
  if (rows.length === 0) return undefined
  const shares = rows.map(shareOf)
  const tokens = sum(rows.map((row) => row.tokens))
  return {
    all: sum(shares) / shares.length,
    worst: Math.min(...shares),
    kinds: factKinds.flatMap((kind) => {
      const own = rows.flatMap(({ kinds }) => kinds.filter((one) => one.kind === kind))
      const of = sum(own.map((one) => one.of))
      return of === 0 ? [] : [{ kind, share: sum(own.map(({ stated }) => stated)) / of }]
    }),
    tokens: tokens / rows.length,
    perThousand: tokens === 0 ? 0 : (sum(rows.map(statedIn)) / tokens) * 1_000,
  }
}

/** The share of the facts that one session kept, 0 to 1. */
export function shareOf(row: FactsKept): number {
  return statedIn(row) / (statedIn(row) + row.missed.length)
}

function statedIn({ kinds }: FactsKept): number {
  return sum(kinds.map(({ stated }) => stated))
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
