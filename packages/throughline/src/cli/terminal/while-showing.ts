import { clipColumns } from './columns.ts'
import { statusLine } from './status-line.ts'
import { takeTurn } from './turn.ts'
import type { Io } from '../io.ts'

/** Does work that may take seconds while a line in the terminal says what is happening. */
export async function whileShowing<Result>(
  io: Io,
  text: string,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  const status = statusLine(io)
  await status.show((columns) => clipColumns(text, columns))
  try {
    await takeTurn(io)
    return await work()
  } finally {
    await status.clear()
    await takeTurn(io)
  }
}

/**
 * Writes to the store while a line in the terminal says so. Ctrl-C stops it before it begins; after
 * that, it is completed and reported as done.
 */
export async function whileWriting<Result>(
  io: Io,
  text: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const status = statusLine(io)
  await status.show((columns) => clipColumns(text, columns))
  try {
    await takeTurn(io)
    return await work()
  } finally {
    await status.clear()
  }
}
