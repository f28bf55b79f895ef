import { isSame } from './is-same.ts'
import { isTold, type Caller } from './caller.ts'

/** Who may ask for sessions over HTTP; nobody, where the operator has not said. */
export type SessionAccess =
  /** Each caller, for its own. */
  | { for: 'callers' }
  /** The one user of this gateway, for all, with the token; and each caller for its own. */
  | { for: 'one-user'; token: string }

/** The header with the token of the one user. */
export const tokenHeader = 'x-throughline-token'

/** Which sessions a request may see. */
export type Reach = 'all' | 'own'

/** Why a request may see none, and what to configure. */
export interface NoReach {
  type: 'session_interface_off' | 'caller_unknown'
  message: string
}

interface Asking {
  caller: Caller
  token: string | undefined
  /** The headers that the operator has named. */
  identity: readonly string[]
}

export function reachOf(
  access: SessionAccess | undefined,
  { caller, token, identity }: Asking,
): Reach | NoReach {
  if (!access) return { type: 'session_interface_off', message: off }
  if (access.for === 'one-user' && isSame(token, access.token)) return 'all'
  if (isTold(caller)) return 'own'
  return { type: 'caller_unknown', message: unknownFor(access, identity) }
}

const off =
  'The session interface is off. The operator turns it on: "sessionInterface": "callers" in the configuration, or throughline serve --session-interface callers.'

function unknownFor(access: SessionAccess, identity: readonly string[]): string {
  if (identity.length > 0) {
    return `This request does not say whose it is: it needs ${identity.join(' and ')}, which the operator has named in "identity".`
  }
  if (access.for === 'one-user') {
    return `This gateway serves one user: send the token that was said at its start in ${tokenHeader}.`
  }
  return 'This request carries no key, so that nobody knows whose it is. Name a header that tells callers apart in the configuration, such as "identity": ["x-user"], or serve one user alone: throughline serve --session-interface one-user.'
}
