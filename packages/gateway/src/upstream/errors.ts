import { ThroughlineError } from 'throughline'

/** A provider could not be reached, or broke off before it answered. */
export class UpstreamError extends ThroughlineError<'UPSTREAM'> {
  static override readonly code = 'UPSTREAM'

  readonly origin: string
  /** As the system says it: `ECONNREFUSED`, … */
  readonly problem: string

  constructor({ origin, cause }: { origin: string; cause: unknown }) {
    const problem = problemOf(cause)
    const what = isProxied(origin)
      ? 'the network, and the proxy of the environment'
      : 'and the network'
    super(
      UpstreamError.code,
      `${origin} cannot be reached (${problem}). Check the upstream in the gateway’s configuration, ${what}.`,
      { cause },
    )
    this.origin = origin
    this.problem = problem
  }
}

/** Whether the environment names a proxy for it; it may be exempted. */
function isProxied(origin: string): boolean {
  const name = origin.startsWith('https:') ? 'https_proxy' : 'http_proxy'
  return Boolean(process.env[name] || process.env[name.toUpperCase()])
}

function problemOf(cause: unknown): string {
  if (!(cause instanceof Error)) return 'no reason given'
  const code: unknown = Reflect.get(cause, 'code')
  return typeof code === 'string' ? code : cause.message
}
