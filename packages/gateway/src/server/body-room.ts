import { FairShares } from './fair-shares.ts'
import { nameOf, type Caller } from '../identity/caller.ts'
import { RefusedError } from './refusals.ts'

/** Room that a request has taken; it is given back once. */
export interface TakenRoom {
  /** @throws RefusedError where there is no room for so many bytes more. */
  take: (bytes: number) => void
  give: (bytes: number) => void
  /** Gives back all that is left. */
  release: () => void
}

// In seconds: bodies come and go.
const soon = 2

/** The bytes of bodies that a process holds at once, also where they have just been unpacked. */
export class BodyRoom {
  readonly #shares: FairShares

  constructor(limit: number) {
    this.#shares = new FairShares(() => limit)
  }

  for(caller: Caller): TakenRoom {
    const name = nameOf(caller)
    let taken = 0
    const give = (bytes: number): void => {
      this.#shares.give(name, bytes)
      taken -= bytes
    }
    return {
      take: (bytes) => {
        if (!this.#shares.take(name, bytes)) {
          const message = 'This gateway holds as many bytes of requests as it may: try again soon.'
          throw new RefusedError({ status: 503, type: 'too_many_bytes', message, again: soon })
        }
        taken += bytes
      },
      give,
      release: () => give(taken),
    }
  }
}
