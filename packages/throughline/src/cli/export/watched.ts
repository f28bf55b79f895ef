import { escapedJson } from '../safe-json.ts'
import { bar } from '../terminal/bar.ts'
import { clipColumns } from '../terminal/columns.ts'
import { statusLine } from '../terminal/status-line.ts'
import { takeTurn } from '../turn.ts'
import type { Io } from '../io.ts'

interface Watched {
  name: string
  entries: number
  io: Io
}

// So much is written at once.
const piece = 256 * 1024
const barWidth = 20

/** Lines in larger pieces, with a look at Ctrl-C and at the progress between any two. */
export async function* watched(
  lines: AsyncIterable<string>,
  { name, entries, io }: Watched,
): AsyncGenerator<string> {
  const status = statusLine(io, { quiet: io.stdout.isTerminal })
  let text = ''
  let count = 0
  try {
    for await (const line of lines) {
      text += escapedJson(line)
      count += 1
      if (text.length < piece) continue
      yield text
      text = ''
      await takeTurn(io)
      await status.show((columns) =>
        clipColumns(`exporting ${bar(count / entries, barWidth)}  ${name}`, columns),
      )
    }
    if (text !== '') yield text
  } finally {
    await status.clear()
  }
}
