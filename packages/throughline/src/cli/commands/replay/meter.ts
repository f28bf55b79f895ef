import { bar } from '../../terminal/bar.ts'
import { canRedraw, paintFor, type Paint } from '../../terminal/colour.ts'
import { clipColumns, columnsOf } from '../../terminal/columns.ts'
import { counted } from '../../terminal/numbers.ts'
import { statusLine } from '../../terminal/status-line.ts'
import { formatTokens } from '../../../tokens/windows.ts'
import { compactionText } from './compaction-text.ts'
import type { Io } from '../../io.ts'
import type { Replay } from './replay-session.ts'

/** Shows the progress of a replay. */
export interface Meter {
  show: (replay: Replay) => Promise<void>
  clear: () => Promise<void>
}

/** A line that is redrawn in a terminal; elsewhere, an occasional line. */
export function meterOn(io: Io, usable: number, { quiet }: { quiet: boolean }): Meter {
  if (quiet) return { show: async () => {}, clear: async () => {} }
  if (!canRedraw(io.stderr, io.env)) return plainMeter(io, usable)
  const status = statusLine(io)
  const paint = paintFor(io.stderr, io.env)
  return {
    show: (replay) => status.show((columns) => meterText(replay, usable, columns, paint)),
    clear: status.clear,
  }
}

const widestBar = 30
const narrowestBar = 5

/** The meter within this many columns: how full the context is, and the progress of the replay. */
export function meterText(
  { tokens, done, of, compactions }: Replay,
  usable: number,
  columns: number,
  paint: Paint,
): string {
  const numbers = ` ${formatTokens(tokens)}/${formatTokens(usable)}  step ${done}/${of}  ${counted(compactions.length, 'compaction')}`
  const room = columns - columnsOf(numbers)
  if (room < narrowestBar) return clipColumns(numbers.trim(), columns)
  const share = usable > 0 ? tokens / usable : 1
  const colour = share < 0.7 ? 'green' : share < 0.95 ? 'yellow' : 'red'
  return paint(colour, bar(share, Math.min(room, widestBar))) + numbers
}

const linesOnTheWay = 10

function plainMeter({ stderr }: Io, usable: number): Meter {
  let compactions = 0
  let tenths = 0
  return {
    async show(replay) {
      const lines: string[] = []
      for (const compaction of replay.compactions.slice(compactions)) {
        lines.push(`before step ${compaction.step}: ${compactionText(compaction)}`)
      }
      compactions = replay.compactions.length
      const reached = Math.floor((replay.done / Math.max(replay.of, 1)) * linesOnTheWay)
      if (reached > tenths) {
        tenths = reached
        const size = `${formatTokens(replay.tokens)} of ${formatTokens(usable)} tokens`
        lines.push(`${replay.done} of ${replay.of} steps: ${size} in the context`)
      }
      if (lines.length > 0) await stderr.write(`${lines.join('\n')}\n`)
    },
    clear: async () => {},
  }
}
