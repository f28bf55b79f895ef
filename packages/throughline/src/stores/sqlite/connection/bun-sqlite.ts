import type * as sqlite from 'node:sqlite'

/** As much of `bun:sqlite` as a store needs; its types would bring all of Bun's. */
interface BunSqlite {
  Database: new (path: string, options: { readonly?: boolean; create?: boolean }) => BunDatabase
}

interface BunDatabase {
  run: (sql: string) => unknown
  prepare: (sql: string) => BunStatement
  close: () => void
  readonly inTransaction: boolean
}

interface BunStatement {
  all: (...values: unknown[]) => unknown[]
  get: (...values: unknown[]) => unknown
  run: (...values: unknown[]) => unknown
  iterate: (...values: unknown[]) => Iterable<unknown>
}

type Module = Pick<typeof sqlite, 'DatabaseSync'>

/** Bun's SQLite in the shape of Node's, as far as the store uses it; `undefined` elsewhere. */
export function bunSqlite(): Module | undefined {
  if (!('bun' in process.versions)) return undefined
  const bun = loadedBun()
  return bun && { DatabaseSync: databaseOver(bun) as unknown as Module['DatabaseSync'] }
}

function loadedBun(): BunSqlite | undefined {
  // The bundler must not look for it, and Node has no such module.
  const found: unknown = process.getBuiltinModule('bun:sqlite')
  return found as BunSqlite | undefined
}

function databaseOver({ Database }: BunSqlite) {
  return class {
    readonly #database: BunDatabase
    isOpen = true

    constructor(path: string | URL, { readOnly = false } = {}) {
      const file = typeof path === 'string' ? path : decodeURIComponent(path.pathname)
      const options = readOnly ? { readonly: true } : { create: true }
      this.#database = inNodesWords(() => new Database(file, options))
    }

    get isTransaction(): boolean {
      return this.#database.inTransaction
    }

    exec(sql: string): void {
      this.#use(() => this.#database.run(sql))
    }

    prepare(sql: string): BunStatement {
      const statement = this.#use(() => this.#database.prepare(sql))
      return {
        all: (...values) => this.#use(() => statement.all(...values)),
        get: (...values) => this.#use(() => statement.get(...values) ?? undefined),
        run: (...values) => this.#use(() => statement.run(...values)),
        iterate: (...values) => this.#use(() => statement.all(...values)),
      }
    }

    close(): void {
      this.isOpen = false
      this.#database.close()
    }

    #use<Result>(work: () => Result): Result {
      if (this.isOpen) return inNodesWords(work)
      throw Object.assign(new Error('database is not open'), { code: 'ERR_INVALID_STATE' })
    }
  }
}

/** Node names its errors by these fields, and so does whoever explains them. */
function inNodesWords<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (error instanceof Error && 'errno' in error && typeof error.errno === 'number') {
      Object.assign(error, { code: 'ERR_SQLITE_ERROR', errcode: error.errno })
    }
    throw error
  }
}
