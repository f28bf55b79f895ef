import { canRedraw } from './colour.ts'
import { clipColumns } from './columns.ts'
import { takeTurn } from './turn.ts'
import { interruption } from '../errors.ts'
import type { Io } from '../io.ts'

/** A line at the bottom of a terminal that is redrawn in place. */
export interface StatusLine {
  /**
   * Draws the line if enough time has passed since the last drawing. The text is made only then,
   * and must fit the given number of columns.
   */
  show: (text: (columns: number) => string) => Promise<void>
  /** Removes the line so that something else can be printed. */
  clear: () => Promise<void>
}

// Often enough to look alive, without flooding a remote terminal.
const pause = 50

const none: StatusLine = { show: async () => {}, clear: async () => {} }

/** Shows nothing if standard error isn't a terminal, or one that can't redraw. */
export function statusLine({ stderr, env, now }: Io, { quiet = false } = {}): StatusLine {
  if (quiet || !canRedraw(stderr, env)) return none
  let shownAt = -Infinity
  let shown = false
  return {
    async show(text) {
      if (now() - shownAt < pause) return
      shownAt = now()
      shown = true
      // One column stays free, because some terminals wrap as soon as the last one is written.
      await stderr.write(`\r\x1b[2K${text(stderr.columns() - 1)}`)
    },
    async clear() {
      if (shown) await stderr.write('\r\x1b[2K')
      shown = false
    },
  }
}

/** Does work that may take seconds while a line in the terminal says what is happening. */
export async function whileShowing<Result>(
  io: Io,
  text: string,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  const result = await whileWriting(io, text, work)
  await takeTurn(io)
  return result
}

/**
 * The same for work that computes, waits for nothing and changes nothing outside: Ctrl-C ends it at
 * once.
 */
export async function whileComputing<Result>(
  io: Io,
  text: string,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  return whileShowing(io, text, () => io.endingAtOnce(work))
}

/**
 * The same for work that writes to the store. Ctrl-C stops it before it begins; after that, only
 * what takes the signal is stopped, and all else is completed and reported as done.
 * @throws InterruptedError
 */
export async function whileWriting<Result>(
  io: Io,
  text: string,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  const status = statusLine(io)
  await status.show((columns) => clipColumns(text, columns))
  try {
    await takeTurn(io)
    return await work()
  } catch (error) {
    throw error === io.signal.reason ? interruption() : error
  } finally {
    await status.clear()
  }
}
