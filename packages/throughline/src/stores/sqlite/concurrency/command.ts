import type { Search, Selection } from '../../../session/store.ts'

/** What one process is told to do with a store that others use too. */
export type Command =
  /** On the store itself: entries in one piece, under a condition or none. */
  | { does: 'append'; session: string; texts: readonly string[]; condition: Expected }
  | { does: 'read'; session: string; selection: Selection }
  | { does: 'search'; session: string; search: Search }
  | { does: 'list' }
  /** On a live session, which does not know of the others until it meets them. */
  | { does: 'say'; session: string; text: string }
  | { does: 'step'; session: string; name: string; lines: number }
  | { does: 'sync' | 'fit' | 'recover' | 'compact' | 'undo' | 'unpin'; session: string }
  | { does: 'pin'; session: string; text: string }
  | { does: 'rewind' | 'redact entry'; session: string; share: number }
  | { does: 'redact text'; session: string; text: string }

/** What an append expects of the session: what it has just read, or what is long past. */
export type Expected = 'nothing' | 'newest' | 'an older one' | 'to hold the first'
