import type { Row } from './migrations.ts'
import type { Query, Transaction } from './migrations.ts'
import pg from 'pg'
import { explained, PostgresError } from './errors.ts'
import type { StoreState } from '../store/gateway-store.ts'
import { circuit } from './circuit.ts'
import { migrate, ownSteps } from './migrations.ts'

export interface ConnectionOptions {
  /** `postgres://user:password@host/database` */
  url: string
  /** Where its tables are; `throughline` by default. */
  schema?: string
  /** The most connections of this process; 10 by default. */
  connections?: number
  /** How long a statement, or the way to the server, may take, in milliseconds; 3,000 by default. */
  timeout?: number
}

/** A database that is reached when it is needed, and whose tables are made then. */
export interface Connection {
  /** @throws PostgresError */
  query: Query
  /**
   * Runs statements in one transaction; whatever the work throws undoes them.
   * @throws PostgresError, or what the work throws
   */
  transaction: Transaction
  state: () => StoreState
  close: () => Promise<void>
}

// While the server cannot be reached, one call in this time tries it; the others fail at once, so
// that no request waits for what isn't there.
const pause = 1_000

export function connect(
  { url, schema = 'throughline', connections = 10, timeout = 3_000 }: ConnectionOptions,
  steps = ownSteps,
): Connection {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: timeout,
    // The server ends a statement first, and says why.
    statement_timeout: timeout,
    query_timeout: timeout + 500,
    idle_in_transaction_session_timeout: timeout * 2,
    keepAlive: true,
    application_name: 'throughline-gateway',
  })
  // An idle connection has broken: the next call opens another one, or says why it can't.
  pool.on('error', () => {})
  const quoted = pg.escapeIdentifier(schema)
  const sql = (text: string): string => text.replaceAll('$schema', () => quoted)
  let prepared: Promise<void> | undefined
  const guarded = circuit({ pause, patience: timeout * 2 })

  async function ready(): Promise<void> {
    prepared ??= migrate(inTransaction, schema, steps)
    try {
      await prepared
    } catch (error) {
      prepared = undefined
      throw error
    }
  }

  async function inTransaction<Result>(work: (query: Query) => Promise<Result>): Promise<Result> {
    const client = await pool.connect().catch(thrown)
    let broken: Error | undefined
    // It may break while nobody asks it anything.
    const noted = (error: Error): void => void (broken = error)
    client.on('error', noted)
    const query: Query = async (text, values = []) => {
      try {
        return (await client.query(sql(text), [...values])).rows as Row[]
      } catch (error) {
        if (!PostgresError.isInstance(error)) broken ??= lostIn(error)
        return thrown(error)
      }
    }
    try {
      await query('BEGIN')
      const result = await work(query)
      await query('COMMIT')
      return result
    } catch (error) {
      if (!broken) await query('ROLLBACK').catch((failed: Error) => (broken = failed))
      throw error
    } finally {
      client.off('error', noted)
      client.release(broken)
    }
  }

  return {
    query: (text, values = []) =>
      guarded(async () => {
        await ready()
        const { rows } = await pool.query(sql(text), [...values]).catch(thrown)
        return rows as Row[]
      }),
    transaction: (work) =>
      guarded(async () => {
        await ready()
        return inTransaction(work)
      }),
    state: () => ({
      connections: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      isOut: guarded.isOpen(),
    }),
    close: () => pool.end(),
  }
}

function thrown(error: unknown): never {
  throw explained(error)
}

/** The error, if it is the connection that failed and not the statement. */
function lostIn(error: unknown): Error | undefined {
  const { failure, cause } = explained(error)
  const isLost = failure === 'unreachable' || failure === 'slow'
  return isLost && cause instanceof Error ? cause : undefined
}
