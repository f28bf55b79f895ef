import { open, type FileHandle } from 'node:fs/promises'
import { codeOf, CommandError } from '../errors.ts'
import { pathFrom, shownPath } from '../paths.ts'
import type { Io } from '../io.ts'

/** The bytes of a session, their source, and their number if it is known. */
export interface SessionSource {
  name: string
  bytes: number | undefined
  chunks: AsyncIterable<Uint8Array>
}

/**
 * Opens a session's file; `-` is standard input.
 * @throws CommandError that says what is wrong with the path.
 */
export async function openSource(path: string, { stdin, signal, cwd }: Io): Promise<SessionSource> {
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
