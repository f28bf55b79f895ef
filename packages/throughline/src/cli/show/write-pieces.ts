import { takeTurn } from '../turn.ts'
import type { Io } from '../io.ts'

// So much is written at once; a whole session may be more than one string can hold.
const piece = 256 * 1024

/** Writes a long text piece by piece, and can be stopped between any two. */
export async function writePieces(pieces: Iterable<string>, io: Io): Promise<void> {
  let text = ''
  for (const next of pieces) {
    text += next
    if (text.length < piece) continue
    await io.stdout.write(text)
    text = ''
    await takeTurn(io)
  }
  if (text !== '') await io.stdout.write(text)
}
