import { setImmediate as nextTurn } from 'node:timers/promises'
import { InterruptedError } from '../errors.ts'
import type { Io } from '../io.ts'

/**
 * Gives pending events a turn, above all Ctrl-C, between two pieces of synchronous work.
 * @throws InterruptedError if Ctrl-C was pressed.
 */
export async function takeTurn({ signal }: Pick<Io, 'signal'>): Promise<void> {
  await nextTurn()
  if (signal.aborted) throw new InterruptedError('interrupted; nothing was written.')
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
