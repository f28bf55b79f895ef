import { setImmediate as pause } from 'node:timers/promises'

// In bytes of what is read: a few milliseconds.
const mostAtOnce = 1_048_576
// Each of them costs something, however short it is.
const least = 512

/** Work that lets others have their turn: a long body keeps nobody waiting. */
export class Turns {
  #done = 0

  /** Whether so many bytes were read that somebody else comes next; then {@link Turns.next} is due. */
  isOver(bytes: number): boolean {
    this.#done += bytes + least
    return this.#done >= mostAtOnce
  }

  async next(): Promise<void> {
    this.#done = 0
    await pause()
  }
}
