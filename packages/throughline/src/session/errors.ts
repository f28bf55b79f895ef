import { ThroughlineError } from '../log/throughline-error.ts'
import type { ModelTokens } from '../tokens/units.ts'
import type { Seq } from '../log/entry.ts'

/** The log has grown since it was read: someone else writes to the session too. */
export class StoreConflictError extends ThroughlineError<'STORE_CONFLICT'> {
  readonly session: string
  readonly expected: Seq
  readonly newest: Seq

  constructor({ session, expected, newest }: { session: string; expected: Seq; newest: Seq }) {
    super(
      'STORE_CONFLICT',
      `Session ${JSON.stringify(session)} is at entry ${newest}, not at ${expected}: it was written to meanwhile. Read the new entries and try again.`,
    )
    this.session = session
    this.expected = expected
    this.newest = newest
  }
}

/** Also where the store brings its own copy of this library. */
export function isStoreConflict(error: unknown): error is StoreConflictError {
  return ThroughlineError.isInstance(error) && error.code === 'STORE_CONFLICT'
}

/** The store holds nothing of this session. */
export class SessionNotFoundError extends ThroughlineError<'SESSION_NOT_FOUND'> {
  readonly session: string

  constructor({ session, known }: { session: string; known: readonly string[] }) {
    const names = known.map((id) => JSON.stringify(id.slice(0, 60)))
    super(
      'SESSION_NOT_FOUND',
      `There is no session ${JSON.stringify(session.slice(0, 60))} in the store. ${names.length === 0 ? 'It is empty.' : `Its newest sessions are ${names.join(', ')}.`}`,
    )
    this.session = session
  }
}

/** The store holds a session of this name already. */
export class SessionExistsError extends ThroughlineError<'SESSION_EXISTS'> {
  readonly session: string

  constructor({ session, cause }: { session: string; cause?: unknown }) {
    super(
      'SESSION_EXISTS',
      `There is a session ${JSON.stringify(session.slice(0, 60))} in the store already, and it was left as it is. Give the new one another name, or remove the old one first.`,
      { cause },
    )
    this.session = session
  }
}

/** The session was removed from its store while it was open. */
export class SessionRemovedError extends ThroughlineError<'SESSION_REMOVED'> {
  readonly session: string

  constructor({ session, cause }: { session: string; cause?: unknown }) {
    super(
      'SESSION_REMOVED',
      `Session ${JSON.stringify(session)} was removed from its store while it was open, and nothing was written. To go on, open it again: it begins anew.`,
      { cause },
    )
    this.session = session
  }
}

/** No pin of this number is in force. */
export class PinNotFoundError extends ThroughlineError<'PIN_NOT_FOUND'> {
  readonly session: string
  readonly pin: Seq
  /** Those that are in force. */
  readonly pins: readonly Seq[]

  constructor({ session, pin, pins }: { session: string; pin: Seq; pins: readonly Seq[] }) {
    const known = pins.length === 0 ? 'no text is pinned' : `pinned are ${pins.join(', ')}`
    super(
      'PIN_NOT_FOUND',
      `Session ${JSON.stringify(session)} has no pin ${pin} in force: ${known}. A pin is named by the seq that pinning it gave.`,
    )
    this.session = session
    this.pin = pin
    this.pins = pins
  }
}

/** There is no checkpoint to undo. */
export class NothingToUndoError extends ThroughlineError<'NOTHING_TO_UNDO'> {
  readonly session: string

  constructor({ session }: { session: string }) {
    super(
      'NOTHING_TO_UNDO',
      `Session ${JSON.stringify(session)} has no compaction in force, so there is nothing to undo.`,
    )
    this.session = session
  }
}

/** Why an overflow could not be got over. */
export type OverflowReason = 'off' | 'nothing-to-compact' | 'refused-again'

const overflowAdvice: Record<OverflowReason, string> = {
  off: 'Nothing is compacted unasked here: compact the session and run it again, or turn automatic compaction on.',
  'nothing-to-compact':
    'There is nothing in it to compact: make the system prompt, the tools or the newest message smaller, or take a model with a larger window.',
  'refused-again':
    'It was compacted before and is refused again: set the window to what the model really takes, or make the system prompt, the tools or the newest messages smaller.',
}

/** The provider says that the context is too long, and it could not be made to fit. */
export class OverflowError extends ThroughlineError<'OVERFLOW'> {
  readonly reason: OverflowReason
  /** The request as it was measured, in tokens of the model. */
  readonly tokens: ModelTokens
  readonly limit: number | undefined

  constructor({
    reason,
    tokens,
    limit,
    cause,
  }: {
    reason: OverflowReason
    tokens: ModelTokens
    limit?: number | undefined
    cause: unknown
  }) {
    super(
      'OVERFLOW',
      `The provider says that the context of about ${tokens} tokens is too long${limit ? `; its limit is ${limit}` : ''}. ${overflowAdvice[reason]}`,
      { cause },
    )
    this.reason = reason
    this.tokens = tokens
    this.limit = limit
  }
}
