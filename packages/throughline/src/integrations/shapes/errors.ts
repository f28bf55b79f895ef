import { ThroughlineError } from '../../log/throughline-error.ts'

/** A message that cannot be said in the other shape; `place` is where it stands. */
export class MessageConversionError extends ThroughlineError<'MESSAGE_CONVERSION'> {
  static override readonly code = 'MESSAGE_CONVERSION'

  /** A path like `messages[3].content[1]`. */
  readonly place: string
  readonly problem: string

  constructor({ place, problem }: { place: string; problem: string }) {
    super(MessageConversionError.code, `${place}: ${problem}.`)
    this.place = place
    this.problem = problem
  }
}

/** Nothing can be asked: calls that the model has made have no results yet. */
export class PendingCallsError extends ThroughlineError<'PENDING_CALLS'> {
  readonly session: string

  constructor({ session }: { session: string }) {
    super(
      'PENDING_CALLS',
      `The newest answer in the session ${JSON.stringify(session)} has calls without results. Put the results behind it and send again.`,
    )
    this.session = session
  }
}
