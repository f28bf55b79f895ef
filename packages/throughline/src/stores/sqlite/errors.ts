import { ThroughlineError } from '../../log/throughline-error.ts'

/** This runtime has no SQLite of its own. */
export class SqliteMissingError extends ThroughlineError<'SQLITE_MISSING'> {
  static override readonly code = 'SQLITE_MISSING'

  constructor() {
    super(
      SqliteMissingError.code,
      'This runtime has no node:sqlite, in which sessions are stored. Use Node 22.16 or newer.',
    )
  }
}

/** The file is no session store. */
export class NotAStoreError extends ThroughlineError<'NOT_A_STORE'> {
  static override readonly code = 'NOT_A_STORE'

  readonly file: string

  constructor({ file, cause }: { file: string; cause?: unknown }) {
    super(
      NotAStoreError.code,
      `${file} is not a session store of Throughline, and was left as it is. Name another file.`,
      { cause },
    )
    this.file = file
  }
}

/** A newer Throughline has written the store. */
export class StoreVersionError extends ThroughlineError<'STORE_VERSION'> {
  static override readonly code = 'STORE_VERSION'

  readonly file: string
  readonly version: number
  /** The newest version that this Throughline can read. */
  readonly supported: number

  constructor({ file, version, supported }: { file: string; version: number; supported: number }) {
    super(
      StoreVersionError.code,
      `${file} was written by a newer Throughline (its schema is version ${version}, this one reads up to ${supported}). Update Throughline to open it; nothing was changed.`,
    )
    this.file = file
    this.version = version
    this.supported = supported
  }
}

/** A value that cannot be written down, so that it would come back as something else. */
export class UnstorableValueError extends ThroughlineError<'UNSTORABLE_VALUE'> {
  static override readonly code = 'UNSTORABLE_VALUE'

  /** What it is: `a function`, `a value of the type Map`, … */
  readonly what: string

  constructor({ what }: { what: string }) {
    super(
      UnstorableValueError.code,
      `An entry holds ${what}, which a store cannot keep. Put plain data, bytes, dates or URLs there.`,
    )
    this.what = what
  }
}

/** Why SQLite did not do what it was asked to. */
export type StoreFailure =
  | 'busy'
  | 'log-in-use'
  | 'read-only'
  | 'full'
  | 'too-large'
  | 'damaged'
  | 'unreachable'
  | 'closed'
  | 'failed'

/** The store could not be read or written; what was acknowledged before stands. */
export class StoreFailedError extends ThroughlineError<'STORE_FAILED'> {
  static override readonly code = 'STORE_FAILED'

  readonly file: string
  readonly failure: StoreFailure

  constructor({ file, failure, cause }: { file: string; failure: StoreFailure; cause?: unknown }) {
    super(StoreFailedError.code, `${file}: ${messages[failure]}${reasonOf(failure, cause)}`, {
      cause,
    })
    this.file = file
    this.failure = failure
  }
}

const messages: Readonly<Record<StoreFailure, string>> = {
  busy: 'another process has been writing to the store all the while, and nothing was written. Try again, or allow a longer busy timeout.',
  'log-in-use':
    'the text is out of the store, but another process that reads still holds the write-ahead log in which old pages stand. Run the same again when it has finished.',
  'read-only':
    'the store can only be read, and nothing was written. Change the permissions of the file and of its folder, or name another file.',
  full: 'there is no room left, on the disk or under a limit. What was stored before stands; make room and run the same again.',
  'too-large':
    'an entry is larger than a store can hold (512 MB of text), and nothing was written. Keep such a value in a file of its own.',
  damaged:
    'the file is damaged. Restore it from a backup, or save what can be read with `sqlite3 FILE .recover`',
  unreachable: 'the store cannot be opened. Check the path, and the permissions of its folder.',
  closed: 'the store is closed. Open it again.',
  failed: 'the store could not be read or written',
}

function reasonOf(failure: StoreFailure, cause: unknown): string {
  if (failure !== 'failed' && failure !== 'damaged') return ''
  return cause instanceof Error ? ` (${cause.message}).` : '.'
}
