import { BoundedMap } from '../body/bounded-map.ts'
import type { Mark } from '../store/gateway-store.ts'
import type { Recognized } from '../identity/identify.ts'

/**
 * A request whose client changes what it has said is gone on from by its newest calls. What was heard
 * of its answer is kept under its whole past.
 */
export class WholeHeads {
  readonly #heads = new BoundedMap<Mark>()

  /** The whole past of the request that was gone on from; remembers that of the one that goes on. */
  before(from: Mark | undefined, { heads: [head], calls: [calls] }: Recognized): Mark | undefined {
    const before = from === undefined ? undefined : (this.#heads.get(from) ?? from)
    if (head !== undefined && calls !== undefined) this.#heads.set(calls, head)
    return before
  }
}
