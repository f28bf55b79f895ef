import { ThroughlineError } from 'throughline'

/** Why Postgres didn't do what it was asked to. */
export type PostgresFailure = 'unreachable' | 'slow' | 'full' | 'newer' | 'failed'

/** The database could not be read or written; everything acknowledged before is still there. */
export class PostgresError extends ThroughlineError<'POSTGRES'> {
  static override readonly code = 'POSTGRES'

  readonly failure: PostgresFailure
  /** The code of Postgres or of the system: `53100`, `ECONNREFUSED`, … */
  readonly problem: string

  constructor({
    failure,
    problem,
    cause,
  }: {
    failure: PostgresFailure
    problem: string
    cause?: unknown
  }) {
    super(PostgresError.code, `${adviceFor(problem) ?? messages[failure]} (${problem})`, { cause })
    this.failure = failure
    this.problem = problem
  }
}

const messages: Readonly<Record<PostgresFailure, string>> = {
  unreachable: 'Postgres cannot be reached: check the address, the network and the server.',
  slow: 'Postgres did not answer in time: look for locks, a full disk or too few connections.',
  full: 'The disk of Postgres is full: make room. What was stored is still there.',
  newer: 'A newer version has prepared this database: run that version, or another database.',
  failed: 'Postgres refused a statement: its own log says why.',
}

/** What a driver's error means. */
export function explained(cause: unknown): PostgresError {
  if (PostgresError.isInstance(cause)) return cause
  const code = codeOf(cause)
  return new PostgresError({ failure: failureOf(code, cause), problem: code, cause })
}

function codeOf(cause: unknown): string {
  if (!(cause instanceof Error)) return 'no reason given'
  // Where several addresses were tried, the first says enough.
  const first: unknown = cause instanceof AggregateError ? cause.errors[0] : cause
  const code: unknown = first instanceof Error ? Reflect.get(first, 'code') : undefined
  return typeof code === 'string' ? code : cause.message
}

function failureOf(code: string, cause: unknown): PostgresFailure {
  if (code === '53100') return 'full'
  // Canceled because it took too long, or a lock was not given.
  if (code === '57014' || code === '55P03' || code === 'Query read timeout') return 'slow'
  // Connection exceptions, too many connections, shutting down or starting up.
  if (/^(?:08...|53300|57P0[1-5])$/.test(code)) return 'unreachable'
  return isOfServer(cause) ? 'failed' : 'unreachable'
}

/** Whether the server itself has said it; all else is about the way to it. */
function isOfServer(cause: unknown): boolean {
  return cause instanceof Error && typeof Reflect.get(cause, 'severity') === 'string'
}

/**
 * What to do about a refusal of Postgres, by its SQLSTATE: what a server that was set up wrong says,
 * and goes on saying until somebody sets it up.
 */
function adviceFor(code: string): string | undefined {
  return advice.find(([codes]) => codes.test(code))?.[1]
}

const advice: readonly (readonly [RegExp, string])[] = [
  [
    /^28P01$/,
    'Postgres does not take this user’s password: check it in THROUGHLINE_STORE, with special characters as %40 and the like.',
  ],
  [
    /^28/,
    'Postgres does not let this user in from here: check the user in THROUGHLINE_STORE, pg_hba.conf, and whether it asks for ?sslmode=require.',
  ],
  [
    /^3D000$/,
    'There is no such database: create it (CREATE DATABASE …), or name another one in THROUGHLINE_STORE.',
  ],
  [
    /^42501$/,
    'This user may not do that in the database: GRANT CREATE ON DATABASE to it, or let another user start the gateway once and GRANT this one USAGE on the schema and ALL on its tables and sequences.',
  ],
  [
    /^(?:42P01|42883|42703|3F000)$/,
    'Something that the gateway has made there is missing: restore its schema from a backup, or drop the schema to begin anew, and restart the gateway.',
  ],
  [
    /^25006$/,
    'This Postgres only reads, as a standby does: name the primary one in THROUGHLINE_STORE.',
  ],
  [
    /^53300$/,
    'Postgres has no connection left: raise its max_connections, or lower “connections” in the configuration.',
  ],
]
