import { ThroughlineError } from '../../log/throughline-error.ts'

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

  static override isInstance(error: unknown): error is PendingCallsError {
    return ThroughlineError.isInstance(error) && error.code === 'PENDING_CALLS'
  }
}
