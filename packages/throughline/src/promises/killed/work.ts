import { createHash } from 'node:crypto'
import type { Entry } from '../../log/entry.ts'

/** What a writer does, in turn. */
export const works = ['append', 'fit', 'compact', 'search', 'fork', 'remove', 'redact'] as const

/** `open` makes the file a store of this version, if it isn't one. */
export type Work = (typeof works)[number] | 'open'

/** A writer's report: that it begins, and what is in the store since it finished. */
export type Line = { begins: Work } | Acknowledged

export interface Acknowledged {
  did: Work
  newest: number
  /** Of all entries. */
  digest: string
  /** The forks of the session, with their newest entry. */
  forks: Record<string, number>
}

export const nothing: Acknowledged = { did: 'open', newest: 0, digest: digestOf([]), forks: {} }

export const secret = 'tok-5ecre7-9f8e7d6c5b4a'

export function digestOf(entries: readonly Entry[]): string {
  return createHash('sha256').update(JSON.stringify(entries)).digest('hex')
}
