import { visibleTextOfMessages } from './visible.ts'
import type { Message } from '../log/message.ts'
import type { Chronological } from '../log/order.ts'

/**
 * What is evaluated. Any compactor fits: it takes a log and returns the context that the model sees
 * next, of at most `keep` tokens (bytes/4).
 */
export interface Compactor {
  name: string
  compact: (request: CompactionRequest) => Promise<Compacted>
}

/** What a compactor is given: a log, the tokens that it may keep, and the directories of the work. */
export interface CompactionRequest {
  log: Chronological
  keep: number
  directories: readonly string[]
}

/** What a compactor made of a log. */
export interface Compacted {
  /** The log including the compaction, for the next one to continue from. */
  log: Chronological
  summary: string
  /** The context that the model sees, summary first. */
  messages: readonly Message[]
}

/** The text that a compaction keeps: the summary and the tail. */
export function keptText({ messages }: Compacted): string {
  return visibleTextOfMessages(messages)
}
