import pg from 'pg'
import { explained } from '../postgres/errors.ts'
import { GatewayConfigError } from './config.ts'

export function isPostgres(place: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(place)
}

/**
 * Whether sessions can be kept at a place, as far as its name says: the address of another database
 * is no folder. It is not quoted, because there may be a password in it.
 * @throws GatewayConfigError
 */
export function checkPlace(place: string): void {
  if (isPostgres(place)) {
    try {
      // It reads the address, and reaches for nothing yet.
      void new pg.Client({ connectionString: place })
      return
    } catch {
      const problem = `its address cannot be read: write ${form}, and special characters of the password as %40 and the like`
      throw new GatewayConfigError('The store', [problem])
    }
  }
  // One letter is a drive.
  const [, scheme] = /^([a-z][a-z0-9+.-]+):\//i.exec(place) ?? []
  if (scheme === undefined) return
  const problem = `${scheme}: is the address of no store that it knows: write ${form}, or a folder`
  throw new GatewayConfigError('The store', [problem])
}

/**
 * Whether the Postgres at an address answers: who has just typed it hears at once that it does not.
 * @throws GatewayConfigError
 */
export async function checkAnswers(place: string): Promise<void> {
  checkPlace(place)
  if (!isPostgres(place)) return
  const client = new pg.Client({ connectionString: place, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.end()
  } catch (cause) {
    throw new GatewayConfigError('The store', [explained(cause).message], { cause })
  }
}

/**
 * Whether a place is a folder, where one client has a gateway of its own.
 * @throws GatewayConfigError
 */
export function checkFolder(place: string): void {
  checkPlace(place)
  if (!isPostgres(place)) return
  const problem =
    'one client keeps its sessions in a folder: start throughline serve for a database'
  throw new GatewayConfigError('The store', [problem])
}

const form = 'postgres://user:password@host/database'
