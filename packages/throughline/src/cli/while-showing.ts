import { clipColumns } from './terminal/columns.ts'
import { statusLine } from './terminal/status-line.ts'
import { takeTurn } from './turn.ts'
import type { Io } from './io.ts'

/** Does work that may take seconds while a line in the terminal says what is done. */
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
