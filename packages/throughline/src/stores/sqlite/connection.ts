import { explain, StoreFailedError } from './errors.ts'
import { isWritable, openDatabase, type DatabaseOptions } from './open-database.ts'
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'

type Row = Record<string, unknown>

/** A database with its prepared statements, and errors in our words. */
export class Connection {
  readonly file: string
  /** Whether it was opened for writing too. */
  readonly isWritable: boolean
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()

  constructor(file: string, options: DatabaseOptions) {
    this.file = file
    this.#database = this.#explained(() => openDatabase(file, options))
    this.isWritable = isWritable(file)
  }

  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#explained(() => this.#statement(sql).all(...values))
  }

  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#explained(() => this.#statement(sql).get(...values))
  }

  run(sql: string, ...values: SQLInputValue[]): void {
    this.#explained(() => this.#statement(sql).run(...values))
  }

  /** For what is done once, and cannot be prepared. */
  exec(sql: string): void {
    this.#explained(() => this.#database.exec(sql))
  }

  /** All of the work or nothing, and nobody else's writing in between. */
  write<Result>(work: () => Result): Result {
    if (!this.isWritable) throw new StoreFailedError({ file: this.file, failure: 'read-only' })
    this.run('BEGIN IMMEDIATE')
    try {
      const result = work()
      this.run('COMMIT')
      return result
    } catch (error) {
      if (this.#database.isTransaction) this.run('ROLLBACK')
      throw error
    }
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close()
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql)
    if (known) return known
    const statement = this.#database.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }

  #explained<Result>(work: () => Result): Result {
    try {
      return work()
    } catch (error) {
      throw explain(error, this.file)
    }
  }
}
