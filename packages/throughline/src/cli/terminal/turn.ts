import { setImmediate as nextTurn } from 'node:timers/promises'
import { InterruptedError } from '../errors.ts'
import type { Io } from '../io.ts'

/**
 * Lets whatever waits be heard, Ctrl-C above all: between two pieces of work that wait for
 * nothing.
 * @throws InterruptedError if it was pressed.
 */
export async function takeTurn({ signal }: Pick<Io, 'signal'>): Promise<void> {
  await nextTurn()
  if (signal.aborted) throw new InterruptedError('interrupted; nothing was written.')
}
