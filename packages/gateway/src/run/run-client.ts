import { ThroughlineError } from 'throughline'
import type { SessionSettings } from '../sessions/settings.ts'
import type { Upstreams } from '../upstream/targets.ts'

/** Where a client is started. */
export interface Place {
  /** The gateway: `http://127.0.0.1:<port>`. */
  url: string
  env: Readonly<Record<string, string | undefined>>
  /** The client's own arguments. */
  args: readonly string[]
  directory: string
  home: string
  /** A folder for this run alone, removed at its end. */
  folder: string
}

/** How a client is sent to the gateway for one process, without a change to any of its files. */
export interface Pointed {
  env: Record<string, string>
  /** Arguments that stand before its own. */
  args: readonly string[]
  /** Its own arguments, where they had to change. */
  own?: readonly string[]
  /** Where it would have gone. */
  upstreams: Upstreams
  /** The same for providers of its own: by the name that stands in the path. */
  routes: Record<string, string>
}

/** What a login of a client loses behind another address. */
export interface LoginRow {
  login: string
  works: 'yes' | 'no' | 'not tried'
  lost: string
}

export interface RunClient {
  name: string
  /** The names of its program. */
  commands: readonly string[]
  logins: readonly LoginRow[]
  /** Whether `throughline install` puts Throughline inside of it, for where a plan is in the way. */
  installs: boolean
  settings: SessionSettings
  /** What the user should check if no request came: after “Check that”. */
  check: string
  /** @throws RunFailedError if its own arguments send it elsewhere. */
  point: (place: Place) => Promise<Pointed>
}

/** The command could not be started behind the gateway. */
export class RunFailedError extends ThroughlineError<'RUN_FAILED'> {
  static override readonly code = 'RUN_FAILED'

  constructor(problem: string, options?: ErrorOptions) {
    super(RunFailedError.code, problem, options)
  }
}
