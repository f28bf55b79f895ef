import { ThroughlineError } from 'throughline'
import { adviceFor } from './reasons.ts'

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
