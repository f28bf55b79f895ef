import { open, type FileHandle } from 'node:fs/promises'
import { recordedLog } from '../../clients/recorded-log.ts'
import { ledgerOf } from '../../config/ledger-of.ts'
import { EmptySessionError, UnknownSessionError } from '../../formats/reading/errors.ts'
import { readSession, type SessionRead } from '../../formats/reading/read-session.ts'
import { readStored } from '../../formats/stored/read-stored.ts'
import { readFound } from '../../harnesses/read-found.ts'
import { sanitizeLine } from '../../log/sanitize.ts'
import { codeOf, CommandError, InterruptedError } from '../errors.ts'
import { pathFrom, shownPath } from '../paths.ts'
import { inStore } from '../store/open-store.ts'
import { clipColumns } from '../terminal/columns.ts'
import { counted, withThousands } from '../terminal/numbers.ts'
import { statusLine, whileShowing } from '../terminal/status-line.ts'
import { bar } from '../terminal/table.ts'
import { chooseSession, type ChosenSession, type SessionOutside } from './choose-session.ts'
import { foundName } from './session-found.ts'
import type { Configuration } from '../../config/load-config.ts'
import type { FoundSession } from '../../harnesses/found-session.ts'
import type { Source } from '../../log/entry.ts'
import type { Io } from '../io.ts'

// More bad lines than this are one problem, not many.
const shown = 3

/** Names the lines that are not one whole record; `undefined` if there are none. */
export function skippedText({ skipped, skippedCount }: SessionRead): string | undefined {
  if (skippedCount === 0) return undefined
  const lines = skipped
    .slice(0, shown)
    .map(({ line, reason }) => `line ${line} (${sanitizeLine(reason)})`)
  const more = skippedCount - lines.length
  const rest = more > 0 ? [`${withThousands(more)} more`] : []
  return `${counted(skippedCount, 'damaged line')}: ${[...lines, ...rest].join(', ')}`
}

/**
 * Reads the session that a command's argument names, wherever it is.
 * @throws CommandError
 */
export async function readSessionNamed(
  word: string,
  configuration: Configuration,
  io: Io,
  options: { quiet?: boolean } = {},
): Promise<SessionInput> {
  return readChosen(await chooseSession(word, configuration, io), configuration, io, options)
}

export async function readChosen(
  chosen: ChosenSession,
  configuration: Configuration,
  io: Io,
  options: { quiet?: boolean } = {},
): Promise<SessionInput> {
  if (chosen.type !== 'stored') return readOutside(chosen, io, options)
  const { id } = chosen.session
  const name = sanitizeLine(id)
  const read = await whileShowing(io, `reading ${name}`, () =>
    inStore(configuration, io, (store) => io.endingInTurn(() => readStored(store, id))),
  )
  return { ...read, name, stored: id, source: { kind: 'session', name: id } }
}

export function readOutside(
  chosen: SessionOutside,
  io: Io,
  options: { quiet?: boolean } = {},
): Promise<SessionInput> {
  if (chosen.type === 'file') return readInput(chosen.path, io, options)
  return readFoundInput(chosen.session, io, options)
}

/**
 * Reads a session from its harness's storage.
 * @throws CommandError, UnreadableSessionError
 */
export async function readFoundInput(
  found: FoundSession,
  io: Io,
  options: { quiet?: boolean },
): Promise<SessionInput> {
  const name = foundName(found)
  const source =
    found.type === 'file'
      ? { ...(await openSource(found.file, io)), name }
      : { name, bytes: undefined, chunks: readFound(found) }
  const read = await readSource(source, io, options)
  const id = `${found.harness.prefix}:${read.facts.id ?? found.id}`
  const log = await recordedLog({ of: found.harness.name, id: found.id, log: read.log }, io.env)
  return { ...read, log, source: { kind: 'session', name: id } }
}

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
async function readInput(path: string, io: Io, { quiet = false } = {}): Promise<SessionInput> {
  if (path === '-' && io.stdin.isTerminal) {
    await io.stderr.write('Reading the session from the terminal; Ctrl-D ends it.\n')
  }
  const read = await readSource(await openSource(path, io), io, { quiet })
  const { id } = read.facts
  if (id !== undefined) return { ...read, source: { kind: 'session', name: id } }
  return path === '-' ? read : { ...read, source: { kind: 'file', name: pathFrom(io.cwd, path) } }
}

/** Reads a session from bytes of any source. */
async function readSource(
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

/** The bytes of a session, their source, and their number if it is known. */
interface SessionSource {
  name: string
  bytes: number | undefined
  chunks: AsyncIterable<Uint8Array>
}

/**
 * Opens a session's file; `-` is standard input.
 * @throws CommandError that says what is wrong with the path.
 */
async function openSource(path: string, { stdin, signal, cwd }: Io): Promise<SessionSource> {
  if (path === '-') {
    const name = 'standard input'
    return { name, bytes: undefined, chunks: chunksOf(stdin.chunks(), name, signal) }
  }
  let handle: FileHandle
  try {
    handle = await open(pathFrom(cwd, path), 'r')
  } catch (error) {
    throw new CommandError(cannotRead(path, error), { cause: error })
  }
  const stat = await handle.stat()
  if (stat.isDirectory()) {
    await handle.close()
    throw new CommandError(cannotRead(path, { code: 'EISDIR' }))
  }
  const bytes = stat.isFile() ? stat.size : undefined
  const stream = handle.createReadStream({ highWaterMark: 256 * 1024, signal })
  return { name: shownPath(path), bytes, chunks: chunksOf(stream, path, signal) }
}

async function* chunksOf(
  chunks: AsyncIterable<Uint8Array>,
  path: string,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks
  } catch (error) {
    if (signal.aborted) throw error
    throw new CommandError(cannotRead(path, error), { cause: error })
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT:
    'there is no such file. Give the path of a session file, - for standard input, or an id from throughline list.',
  ENOTDIR: 'there is no such file: a part of the path is not a directory.',
  EISDIR: 'this is a directory. Give the path of one session file in it.',
  EACCES: 'permission denied. Change the file’s permissions, or read it as its owner.',
  EPERM: 'reading the file is not permitted.',
  ELOOP: 'the path leads in circles: it is a symbolic link to itself.',
  ENAMETOOLONG: 'the path is too long. To pass a session itself, pipe it in and use -.',
}

/** Says why a file can't be read. */
export function cannotRead(path: string, error: unknown): string {
  const code = codeOf(error)
  return `${shownPath(path)}: ${reasons[code] ?? `the file cannot be read (${code}).`}`
}
