import { randomBytes } from 'node:crypto'
import { tokenHeader, type SessionAccess } from '../identity/session-access.ts'

/** The variable with the token of the one user, so that it stays the same, or nobody reads it in a log. */
export const tokenVariable = 'THROUGHLINE_GATEWAY_TOKEN'

type OneUser = SessionAccess & { for: 'one-user' }

/** Access for the one user of a gateway: with the token of the environment, or with a new one. */
export function oneUser(
  env: Readonly<Record<string, string | undefined>>,
): OneUser & { isNew: boolean } {
  const given = env[tokenVariable]
  if (given) return { for: 'one-user', token: given, isNew: false }
  return { for: 'one-user', token: randomBytes(24).toString('base64url'), isNew: true }
}

/** What the one user is told at the start. */
export function oneUserText(
  url: string,
  { token, isNew }: { token: string; isNew: boolean },
): string {
  const said = isNew ? token : `$${tokenVariable}`
  return `throughline: it serves one user, who sees and changes all sessions with the token: curl -H "${tokenHeader}: ${said}" ${url}/throughline/sessions\n`
}
