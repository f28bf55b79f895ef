import type { ClientRecord, SummaryAuthor } from '../../../clients/record.ts'

/** What is known of one client. */
export interface ClientStatus {
  client: string
  label: string
  word: string
  installed: { version: string; at: number } | null
  /** The client compacts by itself, because the user said so. */
  off: boolean
  summary: 'client-model' | 'local'
  problems: readonly string[]
  /** Programs of the same kind that the client loads. */
  beside: readonly string[]
  did: Did
}

/** What a client’s plugin did, as far as its newest records say. */
export interface Did {
  sessions: number
  compactions: number
  /** Compactions by who wrote the summary. */
  by: Partial<Record<SummaryAuthor, number>>
  tokens: { before: number; after: number }
  last: ClientRecord | null
  lastCompaction: ClientRecord | null
  /** The newest reason for stepping aside or failing, if nothing has worked since. */
  aside: ClientRecord | null
}

export function didOf(records: readonly ClientRecord[]): Did {
  const compactions = records.filter(({ event }) => event === 'compaction')
  const by: Partial<Record<SummaryAuthor, number>> = {}
  for (const { by: author } of compactions) if (author) by[author] = (by[author] ?? 0) + 1
  const lastCompaction = compactions.at(-1) ?? null
  const aside = records.findLast(({ event }) => event === 'step-aside' || event === 'error') ?? null
  const worksAgain = aside && lastCompaction && lastCompaction.at > aside.at
  return {
    sessions: new Set(records.flatMap(({ session }) => session ?? [])).size,
    compactions: compactions.length,
    by,
    tokens: {
      before: sum(compactions.map(({ before = 0 }) => before)),
      after: sum(compactions.map(({ after = 0 }) => after)),
    },
    last: records.at(-1) ?? null,
    lastCompaction,
    aside: worksAgain ? null : aside,
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
