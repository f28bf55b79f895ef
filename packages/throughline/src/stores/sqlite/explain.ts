import { NotAStoreError, StoreFailedError, type StoreFailure } from './errors.ts'

// SQLite's result codes (sqlite.org/rescode.html).
const failures: Readonly<Record<number, StoreFailure>> = {
  5: 'busy',
  6: 'busy',
  8: 'read-only',
  11: 'damaged',
  13: 'full',
  14: 'unreachable',
  18: 'too-large',
  // A constraint: ours are only violated by rows that we didn't write.
  19: 'damaged',
}

// The result of a write beyond a quota or file size limit, for which SQLite has no code of its own:
// SQLITE_IOERR_WRITE, SQLITE_IOERR_TRUNCATE, SQLITE_IOERR_SHMSIZE.
const noRoom: ReadonlySet<number> = new Set([778, 1546, 4874])

// SQLITE_IOERR_SHORT_READ: the file ends before it should.
const shortRead = 522
const notADatabase = 26

// What SQLite says if the tables are not the ones we created; it has no code for that.
const otherTables =
  /^no such (?:table|column)|has no column named|already exists$|^(?:unsupported|invalid fts5) file format/

const fileFailures: Readonly<Record<string, StoreFailure>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EROFS: 'read-only',
  EACCES: 'unreachable',
  EPERM: 'unreachable',
  ENOENT: 'unreachable',
  ENOTDIR: 'unreachable',
  EISDIR: 'unreachable',
  EEXIST: 'unreachable',
  ELOOP: 'unreachable',
  ENAMETOOLONG: 'unreachable',
  ERR_INVALID_ARG_VALUE: 'unreachable',
  ERR_INVALID_STATE: 'closed',
}

/**
 * Works with SQLite or files and explains in our words what went wrong; other errors are thrown
 * unchanged.
 * @throws StoreFailedError, NotAStoreError
 */
export function explained<Result>(file: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw explain(error, file)
  }
}

function explain(error: unknown, file: string): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error
  if (error.code === 'ERR_SQLITE_ERROR' && 'errcode' in error) {
    return explainCode(error, Number(error.errcode), file)
  }
  const failure = fileFailures[String(error.code)]
  return failure ? new StoreFailedError({ file, failure, cause: error }) : error
}

function explainCode(cause: Error, code: number, file: string): Error {
  if ((code & 0xff) === notADatabase) return new NotAStoreError({ file, cause })
  return new StoreFailedError({ file, failure: failureOf(cause, code), cause })
}

function failureOf({ message }: Error, code: number): StoreFailure {
  if (noRoom.has(code)) return 'full'
  if (code === shortRead || otherTables.test(message)) return 'damaged'
  return failures[code & 0xff] ?? 'failed'
}

/**
 * Parses stored data, which fails only if it is damaged.
 * @throws StoreFailedError
 */
export function understood<Result>(file: string, work: () => Result): Result {
  try {
    return work()
  } catch (cause) {
    if (StoreFailedError.isInstance(cause)) throw cause
    throw new StoreFailedError({ file, failure: 'damaged', cause })
  }
}
