import { ThroughlineError } from 'throughline'

/** A provider could not be reached, or broke off before it answered. */
export class UpstreamError extends ThroughlineError<'UPSTREAM'> {
  static override readonly code = 'UPSTREAM'

  readonly origin: string
  /** As the system says it: `ECONNREFUSED`, … */
  readonly problem: string

  constructor({ origin, cause }: { origin: string; cause: unknown }) {
    const problem = problemOf(cause)
    super(
      UpstreamError.code,
      `${origin} cannot be reached (${problem}). Check the upstream in the gateway’s configuration, and the network.`,
      { cause },
    )
    this.origin = origin
    this.problem = problem
  }
}

function problemOf(cause: unknown): string {
  if (!(cause instanceof Error)) return 'no reason given'
  const code: unknown = Reflect.get(cause, 'code')
  return typeof code === 'string' ? code : cause.message
}
