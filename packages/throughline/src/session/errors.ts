import { ThroughlineError } from '../log/throughline-error.ts'
import type { ModelTokens } from '../tokens/units.ts'
import type { Seq } from '../log/entry.ts'

/** The log has grown since it was read: someone else writes to the session too. */
export class StoreConflictError extends ThroughlineError<'STORE_CONFLICT'> {
  static override readonly code = 'STORE_CONFLICT'

  readonly session: string
  readonly expected: Seq
  readonly newest: Seq

  constructor({ session, expected, newest }: { session: string; expected: Seq; newest: Seq }) {
    super(
      StoreConflictError.code,
      `Session ${JSON.stringify(session)} is at entry ${newest}, not at ${expected}: someone wrote to it in the meantime. Read the new entries and try again.`,
    )
    this.session = session
    this.expected = expected
    this.newest = newest
  }
}

/** The store has no such session. */
export class SessionNotFoundError extends ThroughlineError<'SESSION_NOT_FOUND'> {
  static override readonly code = 'SESSION_NOT_FOUND'

  readonly session: string

  constructor({ session, known }: { session: string; known: readonly string[] }) {
    const names = known.map((id) => JSON.stringify(id.slice(0, 60)))
    super(
      SessionNotFoundError.code,
      `There is no session ${JSON.stringify(session.slice(0, 60))} in the store. ${names.length === 0 ? 'It is empty.' : `Its newest sessions are ${names.join(', ')}.`}`,
    )
    this.session = session
  }
}

/** The store already has a session with this name. */
export class SessionExistsError extends ThroughlineError<'SESSION_EXISTS'> {
  static override readonly code = 'SESSION_EXISTS'

  readonly session: string

  constructor({ session, cause }: { session: string; cause?: unknown }) {
    super(
      SessionExistsError.code,
      `The store already has a session ${JSON.stringify(session.slice(0, 60))}; nothing was changed. Give the new session another name, or remove the old one first.`,
      { cause },
    )
    this.session = session
  }
}

/** The session was removed from its store while it was open. */
export class SessionRemovedError extends ThroughlineError<'SESSION_REMOVED'> {
  static override readonly code = 'SESSION_REMOVED'

  readonly session: string

  constructor({ session, cause }: { session: string; cause?: unknown }) {
    super(
      SessionRemovedError.code,
      `Session ${JSON.stringify(session)} was removed from its store while it was open, and nothing was written. To continue, open it again; it starts empty.`,
      { cause },
    )
    this.session = session
  }
}

/** No active pin has this number. */
export class PinNotFoundError extends ThroughlineError<'PIN_NOT_FOUND'> {
  static override readonly code = 'PIN_NOT_FOUND'

  readonly session: string
  readonly pin: Seq
  /** The active pins. */
  readonly pins: readonly Seq[]

  constructor({ session, pin, pins }: { session: string; pin: Seq; pins: readonly Seq[] }) {
    const known =
      pins.length === 0 ? ': no text is pinned' : `. Its active pins: ${pins.join(', ')}`
    super(
      PinNotFoundError.code,
      `Session ${JSON.stringify(session)} has no active pin ${pin}${known}. A pin’s number is the one that it was given when it was pinned.`,
    )
    this.session = session
    this.pin = pin
    this.pins = pins
  }
}

/** There is no checkpoint to undo. */
export class NothingToUndoError extends ThroughlineError<'NOTHING_TO_UNDO'> {
  static override readonly code = 'NOTHING_TO_UNDO'

  readonly session: string

  constructor({ session }: { session: string }) {
    super(
      NothingToUndoError.code,
      `Session ${JSON.stringify(session)} has no active compaction, so there is nothing to undo.`,
    )
    this.session = session
  }
}

/** Why the session couldn't recover from an overflow. */
export type OverflowReason = 'off' | 'nothing-to-compact' | 'refused-again'

const overflowAdvice: Record<OverflowReason, string> = {
  off: 'Automatic compaction is off: compact the session and run it again, or turn automatic compaction on.',
  'nothing-to-compact':
    'There is nothing to compact: make the system prompt, the tools or the newest message smaller, or use a model with a larger window.',
  'refused-again':
    'It was already compacted and is still refused: set the window to the model’s real limit, or make the system prompt, the tools or the newest messages smaller.',
}

/** The provider says that the context is too long, and it couldn't be made to fit. */
export class OverflowError extends ThroughlineError<'OVERFLOW'> {
  static override readonly code = 'OVERFLOW'

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
      OverflowError.code,
      `The provider says that the context of about ${tokens} tokens is too long${limit ? `; its limit is ${limit}` : ''}. ${overflowAdvice[reason]}`,
      { cause },
    )
    this.reason = reason
    this.tokens = tokens
    this.limit = limit
  }
}
