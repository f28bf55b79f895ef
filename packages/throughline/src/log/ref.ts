import { RefNotFoundError } from './errors.ts'
import { entryAt } from './entry-at.ts'
import { partsOf, type Message, type Part } from './message.ts'
import type { Chronological } from './order.ts'
import type { Ref, Seq } from './entry.ts'

/** Names a whole entry, or one part of its message (parts count from 0). */
export function ref(seq: Seq, part?: number): Ref {
  return part === undefined ? `${seq}` : `${seq}.${part}`
}

/** Takes a ref apart, or says `undefined` of a text that is none. */
export function parseRef(text: string): { seq: Seq; part?: number } | undefined {
  const match = /^(\d{1,15})(?:\.(\d{1,9}))?$/.exec(text)
  if (!match) return undefined
  const seq = Number(match[1])
  return match[2] === undefined ? { seq } : { seq, part: Number(match[2]) }
}

/**
 * Reads back what a ref names, as it was first said, whatever was pruned, clipped
 * or summarized since.
 * @throws RefNotFoundError if the log has no such entry or part.
 * @example
 * const original = readRef(log, '12.0')
 */
export function readRef(log: Chronological, text: string): Message | Part {
  const parsed = parseRef(text)
  const entry = parsed && entryAt(log, parsed.seq)
  if (!entry || entry.kind !== 'message') throw refNotFound(log, text)
  if (parsed.part === undefined) return entry.message
  const parts = partsOf(entry.message)
  const part = parts[parsed.part]
  if (!part) throw refNotFound(log, text, parts.length)
  return part
}

function refNotFound(log: Chronological, ref: string, parts?: number): RefNotFoundError {
  return new RefNotFoundError({ ref, newest: log.at(-1)?.seq ?? 0, parts })
}
