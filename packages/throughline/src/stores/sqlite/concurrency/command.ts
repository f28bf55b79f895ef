import type { Search, Selection } from '../../../session/store.ts'

/** A command to one of several processes that share a store. */
export type Command =
  /** On the store itself: appends entries in one transaction, with or without a condition. */
  | { does: 'append'; session: string; texts: readonly string[]; condition: Expected }
  | { does: 'read'; session: string; selection: Selection }
  | { does: 'search'; session: string; search: Search }
  | { does: 'list' }
  /** On an open session, which doesn't know about the others until it meets them. */
  | { does: 'say'; session: string; text: string }
  | { does: 'step'; session: string; name: string; lines: number }
  | { does: 'sync' | 'fit' | 'recover' | 'compact' | 'undo' | 'unpin'; session: string }
  | { does: 'pin'; session: string; text: string }
  | { does: 'rewind' | 'redact entry'; session: string; share: number }
  | { does: 'redact text'; session: string; text: string }

/** What an append expects of the session: the state just read, or one long past. */
export type Expected = 'nothing' | 'newest' | 'an older one' | 'to hold the first'
