import { BoundedMap } from '../body/bounded-map.ts'
import { elementsOf, type BodyElements } from '../body/elements.ts'
import { hashOf } from '../identity/marks.ts'
import { RecentBodies, type readBodySpans } from '../body/recent-bodies.ts'
import type { Caller } from '../identity/caller.ts'
import type { ModelRequest } from '../server/model-request.ts'

/** The last request of each conversation, so that only what is new in the next one is read. */
export class RecentRequests {
  readonly #bodies = new RecentBodies()
  readonly #elements = new BoundedMap<BodyElements>({ bytesOf: ({ body }) => body.length })

  /** How the bodies of a caller are read: most begin with all of the one before. */
  bodiesOf({ keys, identity }: Caller): typeof readBodySpans {
    return (body, held) => this.#bodies.read(body, held, [...keys, ...identity])
  }

  /** The elements of a request; `undefined` if one cannot be read. */
  async elementsOf(
    request: ModelRequest,
    owner: string,
  ): Promise<BodyElements['elements'] | undefined> {
    const key = conversationOf(request, owner)
    const found = await elementsOf(request.body, request.spans, this.#elements.get(key))
    if (found) this.#elements.set(key, found)
    return found?.elements
  }
}

/** It begins with the same bytes each time. */
function conversationOf({ wire, body, spans }: ModelRequest, owner: string): string {
  const [first, second = first] = spans.elements
  const begins = first && second ? body.subarray(first.start, second.end).toString('latin1') : ''
  return hashOf(owner, wire.name, begins)
}
