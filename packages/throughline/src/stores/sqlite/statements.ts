import { explained } from './explain.ts'
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'

export type Row = Record<string, unknown>

// Segments and indexes have statements of their own.
const mostPrepared = 500

/** The statements of one database, each prepared once, with errors in our words. */
export class Statements {
  readonly file: string
  readonly #database: DatabaseSync
  readonly #prepared = new Map<string, StatementSync>()

  constructor(database: DatabaseSync, file: string) {
    this.#database = database
    this.file = file
  }

  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return explained(this.file, () => this.#prepare(sql).all(...values))
  }

  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return explained(this.file, () => this.#prepare(sql).get(...values))
  }

  /** The rows one at a time. Others may do something in between, but not with the same statement. */
  *each(sql: string, ...values: SQLInputValue[]): Generator<Row> {
    const statement = explained(this.file, () => this.#database.prepare(sql))
    const rows = explained(this.file, () => statement.iterate(...values)[Symbol.iterator]())
    try {
      for (;;) {
        const next = explained(this.file, () => rows.next())
        if (next.done) return
        yield next.value as Row
      }
    } finally {
      rows.return?.()
    }
  }

  /** Returns how many rows were changed. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(explained(this.file, () => this.#prepare(sql).run(...values)).changes)
  }

  /** For work that is done once and may consist of several statements. */
  exec(sql: string): void {
    explained(this.file, () => this.#database.exec(sql))
  }

  #prepare(sql: string): StatementSync {
    const known = this.#prepared.get(sql)
    if (known) return known
    if (this.#prepared.size >= mostPrepared) this.#prepared.clear()
    const statement = this.#database.prepare(sql)
    this.#prepared.set(sql, statement)
    return statement
  }
}
