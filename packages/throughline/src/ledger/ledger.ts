import { messageText, partsOf, type Message } from '../log/message.ts'
import { textHash } from '../json/hash.ts'
import type { Origin, Source } from '../log/entry.ts'

/**
 * The ledger of origin: what Throughline wrote into places that others keep (a client's session, a
 * file, the messages of an API), so that it is known again when it comes back. Without it, a summary
 * that begins a session may have been written by anybody, and nothing in it is the human's word.
 */
export interface Ledger {
  /** What was written with this summary; `undefined` if Throughline did not write it. */
  find: (summary: string) => WrittenContext | undefined
  /** @throws if it cannot be kept. */
  add: (summary: string, context: WrittenContext) => void
}

/** A context that Throughline wrote into such a place. */
export interface WrittenContext {
  /** Milliseconds since 1970. */
  at: number
  /** Who wrote the summary: `local`, or the summarizer's name. */
  by: string
  /** How many times what it says has been compacted: 1 for the first compaction of a session. */
  generation: number
  /** The size of the context in tokens, before the compaction and after it. */
  before?: number
  after?: number
  /** The log that its refs belong to. */
  source?: Source
  /** The messages behind the summary, in order. */
  messages: readonly WrittenMessage[]
}

/** A message behind a summary. Its text is not kept, only what tells it from others. */
export interface WrittenMessage {
  /** Its {@link printOf}. */
  print: string
  origin: Origin
  /** The record of the client that it was copied from. */
  record?: string
}

/**
 * A ledger that lasts as long as the process. `noteWritten` fills it, and `readSession` asks it.
 * @example
 * const ledger = memoryLedger()
 */
export function memoryLedger(): Ledger {
  const known = new Map<string, WrittenContext>()
  return {
    find: (summary) => known.get(normalizedText(summary)),
    add: (summary, context) => void known.set(normalizedText(summary), context),
  }
}

/** A text as it stays through trimming and other line ends, white space and ways to write letters. */
export function normalizedText(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ').trim()
}

/**
 * Tells a text from others, 53 bits in base 36. It proves nothing: who wants to can find another text
 * with the same.
 */
export function fingerprintOf(text: string): string {
  return textHash(normalizedText(text)).toString(36)
}

/** Tells a message from others: by the ids of its calls or results, else by its text. */
export function printOf(message: Message): string {
  const ids = partsOf(message).flatMap((part) =>
    part.type === 'tool-call' || part.type === 'tool-result' ? [part.toolCallId] : [],
  )
  return fingerprintOf(ids.length > 0 ? ids.join(' ') : messageText(message))
}
