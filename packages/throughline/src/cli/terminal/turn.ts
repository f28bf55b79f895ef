import { setImmediate as nextTurn } from 'node:timers/promises'
import { interruption } from '../errors.ts'
import type { Io } from '../io.ts'

/**
 * Gives pending events a turn, above all Ctrl-C, between two pieces of synchronous work.
 * @throws InterruptedError if Ctrl-C was pressed.
 */
export async function takeTurn({ signal }: Pick<Io, 'signal'>): Promise<void> {
  await nextTurn()
  if (signal.aborted) throw interruption()
}

/** The chunks, with a turn between any two. */
export async function* takingTurns<Chunk>(
  chunks: AsyncIterable<Chunk>,
  io: Pick<Io, 'signal'>,
): AsyncGenerator<Chunk> {
  for await (const chunk of chunks) {
    yield chunk
    await takeTurn(io)
  }
}

// How much is written at once; a whole session may be longer than one string can be.
const pieceLength = 256 * 1024

/** Texts joined into larger pieces, with a turn between any two. */
export async function* inPieces(
  texts: Iterable<string> | AsyncIterable<string>,
  io: Pick<Io, 'signal'>,
): AsyncGenerator<string> {
  let piece = ''
  for await (const text of texts) {
    piece += text
    if (piece.length < pieceLength) continue
    yield piece
    piece = ''
    await takeTurn(io)
  }
  if (piece !== '') yield piece
}
