import { canRedraw } from './colour.ts'
import type { Io } from '../io.ts'

/** One line at the bottom of a terminal that is drawn again in its place. */
export interface StatusLine {
  /**
   * Draws the line if the last drawing was long enough ago. The text is made only then, and
   * must fit the columns it is told of.
   */
  show: (text: (columns: number) => string) => Promise<void>
  /** Takes the line away, so that something else can be printed. */
  clear: () => Promise<void>
}

// Often enough to look alive; a terminal far away is not flooded.
const pause = 50

const none: StatusLine = { show: async () => {}, clear: async () => {} }

/** Shows nothing where standard error is no terminal, or one that cannot redraw. */
export function statusLine({ stderr, env, now }: Io, { quiet = false } = {}): StatusLine {
  if (quiet || !canRedraw(stderr, env)) return none
  let shownAt = -Infinity
  let shown = false
  return {
    async show(text) {
      if (now() - shownAt < pause) return
      shownAt = now()
      shown = true
      // One column stays free: some terminals wrap as soon as the last one is written.
      await stderr.write(`\r\x1b[2K${text(stderr.columns() - 1)}`)
    },
    async clear() {
      if (shown) await stderr.write('\r\x1b[2K')
      shown = false
    },
  }
}
