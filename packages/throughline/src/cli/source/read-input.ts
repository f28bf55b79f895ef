import { ledgerOf } from '../../config/ledger-of.ts'
import { EmptySessionError, UnknownSessionError } from '../../formats/reading/errors.ts'
import { readSession, type SessionRead } from '../../formats/reading/read-session.ts'
import { CommandError, InterruptedError } from '../errors.ts'
import { statusLine } from '../terminal/status-line.ts'
import { openSource, type SessionSource } from './open-session.ts'
import type { Io } from '../io.ts'
import { bar } from '../terminal/table.ts'
import { clipColumns } from '../terminal/columns.ts'
import { sanitizeLine } from '../../log/sanitize.ts'
import { pathFrom } from '../paths.ts'
import type { Source } from '../../log/entry.ts'

/** A session that was read, and its name for the user. */
export interface SessionInput extends SessionRead {
  name: string
  /** Its id, if it was read from the store. */
  stored?: string
  /** The name of the session in refs that leave it; none if it could not be found again. */
  source?: Source
}

/**
 * Reads the session at this path, and shows progress in a terminal.
 * @throws CommandError if it can't be read or isn't a session.
 */
export async function readInput(
  path: string,
  io: Io,
  { quiet = false } = {},
): Promise<SessionInput> {
  if (path === '-' && io.stdin.isTerminal) {
    await io.stderr.write('Reading the session from the terminal; Ctrl-D ends it.\n')
  }
  const read = await readSource(await openSource(path, io), io, { quiet })
  const { id } = read.facts
  if (id !== undefined) return { ...read, source: { kind: 'session', name: id } }
  return path === '-' ? read : { ...read, source: { kind: 'file', name: pathFrom(io.cwd, path) } }
}

/** The same for bytes from any source. */
export async function readSource(
  source: SessionSource,
  io: Io,
  { quiet = false } = {},
): Promise<SessionInput> {
  const status = statusLine(io, { quiet })
  let bytes = 0
  const progress = (): Promise<void> =>
    status.show((columns) => progressText(source, bytes, columns))
  try {
    const ledger = ledgerOf(io.env)
    const read = await readSession(watched(source, io, progress), {
      ...(ledger && { ledger }),
      onProgress: (count) => (bytes = count),
    })
    if (read.log.some((entry) => entry.kind === 'message')) return { ...read, name: source.name }
    throw new CommandError(
      `${source.name}: the session has no messages. Use a session in which something was said.`,
    )
  } catch (error) {
    if (io.signal.aborted) {
      throw new InterruptedError(`interrupted while reading ${source.name}; nothing was done.`)
    }
    throw named(error, source)
  } finally {
    await status.clear()
  }
}

/** The chunks, checking the signal and showing progress between any two. */
async function* watched(
  { chunks }: SessionSource,
  { signal }: Io,
  progress: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    signal.throwIfAborted()
    yield chunk
    await progress()
  }
  signal.throwIfAborted()
}

function named(error: unknown, { name }: SessionSource): unknown {
  return error instanceof EmptySessionError || error instanceof UnknownSessionError
    ? new CommandError(`${name}: ${lowerFirst(error.message)}`, { cause: error })
    : error
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}

const barWidth = 20

/** The reading progress: a bar if the size is known. */
function progressText(
  { name, bytes: total }: Pick<SessionSource, 'name' | 'bytes'>,
  bytes: number,
  columns: number,
): string {
  const read = megabytes(bytes)
  const text = total
    ? `reading ${bar(bytes / total, barWidth)}  ${read}/${megabytes(total)} MB  ${sanitizeLine(name)}`
    : `reading ${sanitizeLine(name)}  ${read} MB`
  return clipColumns(text, columns)
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1)
}
