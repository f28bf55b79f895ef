import { RefusedError } from './refusals.ts'
import type { Caller } from '../identity/caller.ts'

/** Room that a request has taken; it is given back once. */
export interface TakenRoom {
  /** @throws RefusedError where there is no room for so many bytes more. */
  take: (bytes: number) => void
  release: () => void
}

// In seconds: bodies come and go.
const soon = 2

/**
 * The bytes of bodies that a process holds at once. A caller gets at most half of what the others leave,
 * so that there is room for whoever comes next, however much one sends.
 */
export class BodyRoom {
  readonly #limit: number
  readonly #of = new Map<string, number>()
  #held = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  for({ keys, identity }: Caller): TakenRoom {
    const caller = JSON.stringify([keys, identity])
    let taken = 0
    const add = (bytes: number): void => {
      taken += bytes
      this.#held += bytes
      const own = (this.#of.get(caller) ?? 0) + bytes
      if (own > 0) this.#of.set(caller, own)
      else this.#of.delete(caller)
    }
    return {
      take: (bytes) => {
        const own = this.#of.get(caller) ?? 0
        const left = this.#limit - (this.#held - own)
        if (own + bytes > left / 2) {
          const message = 'This gateway holds as many bytes of requests as it may: try again soon.'
          throw new RefusedError({ status: 503, type: 'too_many_bytes', message, again: soon })
        }
        add(bytes)
      },
      release: () => add(-taken),
    }
  }
}
