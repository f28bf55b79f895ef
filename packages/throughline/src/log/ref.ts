import { ThroughlineError } from './throughline-error.ts'
import { entryAt, type Chronological } from './order.ts'
import { partsOf, type Message, type Part } from './message.ts'
import type { Ref, Seq } from './entry.ts'

/** Names a whole entry, or one part of its message (parts count from 0). */
export function ref(seq: Seq, part?: number): Ref {
  return part === undefined ? `${seq}` : `${seq}.${part}`
}

/** Parses a ref; `undefined` if the text isn't one. */
export function parseRef(text: string): { seq: Seq; part?: number } | undefined {
  const match = /^(\d{1,15})(?:\.(\d{1,9}))?$/.exec(text)
  if (!match) return undefined
  const seq = Number(match[1])
  return match[2] === undefined ? { seq } : { seq, part: Number(match[2]) }
}

/**
 * Reads back what a ref names in its original words, even if it was pruned, clipped or summarized
 * since.
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

/** A ref that the session doesn't have. */
export class RefNotFoundError extends ThroughlineError<'REF_NOT_FOUND'> {
  static override readonly code = 'REF_NOT_FOUND'

  readonly ref: string
  readonly newest: Seq
  /** How many parts the entry has, if it exists and only the part is missing. */
  readonly parts: number | undefined

  constructor({ ref, newest, parts }: { ref: string; newest: Seq; parts?: number | undefined }) {
    super(
      RefNotFoundError.code,
      `The session has no ref ${JSON.stringify(ref.slice(0, 40))}. A ref is seq or seq.part, and ${rangeOf(newest, parts)}.`,
    )
    this.ref = ref
    this.newest = newest
    this.parts = parts
  }
}

function rangeOf(newest: Seq, parts: number | undefined): string {
  if (parts === undefined) return `seqs run from 1 to ${newest}`
  return parts === 0 ? 'this entry has no parts' : `the parts of this entry are 0 to ${parts - 1}`
}
