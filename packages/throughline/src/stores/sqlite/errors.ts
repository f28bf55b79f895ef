import { ThroughlineError } from '../../log/throughline-error.ts'
import { setTimeout } from 'node:timers/promises'

// Long enough for others to make progress, and short enough that nobody notices. Not always the
// same, so that those who wait don't come at the same moment.
const shortest = 1
const longest = 12

/**
 * Tries again while another process is in the way. The process goes on in the meantime.
 * @throws the last failure when the time is over, and the signal's reason.
 */
export async function waiting<Result>(
  { busyTimeout, signal }: { busyTimeout: number; signal?: AbortSignal | undefined },
  attempt: () => Result,
): Promise<Result> {
  const until = performance.now() + busyTimeout
  for (let round = 0; ; round++) {
    signal?.throwIfAborted()
    try {
      return attempt()
    } catch (error) {
      if (!isInTheWay(error) || performance.now() >= until) throw error
    }
    const most = Math.min(longest, shortest + round)
    await setTimeout(shortest + (most - shortest) * Math.random(), undefined, { signal })
  }
}

function isInTheWay(error: unknown): boolean {
  if (isBusy(error)) return true
  if (!StoreFailedError.isInstance(error)) return false
  return error.failure === 'busy' || error.failure === 'log-in-use'
}

/** Whether SQLite reported that another process is writing. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === 5
}

/** This runtime has no SQLite of its own. */
export class SqliteMissingError extends ThroughlineError<'SQLITE_MISSING'> {
  static override readonly code = 'SQLITE_MISSING'

  constructor() {
    super(
      SqliteMissingError.code,
      'This runtime has neither node:sqlite nor bun:sqlite, which the session store needs. Use Node 22.16 or newer.',
    )
  }
}

/** The file is not a session store. */
export class NotAStoreError extends ThroughlineError<'NOT_A_STORE'> {
  static override readonly code = 'NOT_A_STORE'

  readonly file: string

  constructor({ file, cause }: { file: string; cause?: unknown }) {
    super(
      NotAStoreError.code,
      `${file} is not a Throughline session store; it was not changed. Name another file.`,
      { cause },
    )
    this.file = file
  }
}

/** The store was written by a newer Throughline, or by one from before the first release. */
export class StoreVersionError extends ThroughlineError<'STORE_VERSION'> {
  static override readonly code = 'STORE_VERSION'

  readonly file: string
  readonly version: number
  /** The version that this Throughline reads. */
  readonly supported: number

  constructor({ file, version, supported }: { file: string; version: number; supported: number }) {
    super(
      StoreVersionError.code,
      version > supported
        ? `${file} was written by a newer Throughline (its schema is version ${version}, this one reads up to ${supported}). Update Throughline to open it; nothing was changed.`
        : `${file} is a store from before the first release (its schema is version ${version}, this Throughline reads ${supported}). Move the file away to begin a new store; only the Throughline that wrote it can export its sessions. Nothing was changed.`,
    )
    this.file = file
    this.version = version
    this.supported = supported
  }
}

/** A value that can't be stored, because it would come back as something else. */
export class UnstorableValueError extends ThroughlineError<'UNSTORABLE_VALUE'> {
  static override readonly code = 'UNSTORABLE_VALUE'

  /** What it is: `a function`, `a value of the type Map`, … */
  readonly what: string

  constructor({ what }: { what: string }) {
    super(
      UnstorableValueError.code,
      `An entry contains ${what}, which a store cannot save. Use plain data, bytes, dates or URLs instead.`,
    )
    this.what = what
  }
}

/** Why SQLite didn't do what it was asked to. */
export type StoreFailure =
  | 'busy'
  | 'log-in-use'
  | 'read-only'
  | 'full'
  | 'too-large'
  | 'damaged'
  | 'damaged-line'
  | 'unreachable'
  | 'closed'
  | 'failed'

/** The store could not be read or written; everything acknowledged before is still there. */
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
  busy: 'another process was writing to the store the whole time, so nothing was written. Try again, or allow a longer busy timeout.',
  'log-in-use':
    'the text was removed from the store, but another process is still reading, so the write-ahead log still holds old pages. Run the same command again when that process has finished.',
  'read-only':
    'the store is read-only, so nothing was written. Change the permissions of the file and its folder, or name another file.',
  full: 'the disk or a quota is full. Everything that was stored earlier is still there. Make room and run the same command again.',
  'too-large':
    'an entry is larger than a store can hold (512 MB of text), so nothing was written. Keep such a value in its own file.',
  damaged:
    'the file is damaged. Restore it from a backup, or save what can be read with `sqlite3 FILE .recover`',
  'damaged-line':
    'a line of the file is damaged. Restore the file from a backup, or remove that line and all that follow it',
  unreachable: 'the store cannot be opened. Check the path and the permissions of its folder.',
  closed: 'the store is closed. Open it again.',
  failed: 'the store could not be read or written',
}

function reasonOf(failure: StoreFailure, cause: unknown): string {
  if (failure !== 'failed' && !failure.startsWith('damaged')) return ''
  return cause instanceof Error ? ` (${cause.message}).` : '.'
}
