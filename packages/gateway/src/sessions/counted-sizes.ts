import { BoundedMap } from '../body/bounded-map.ts'
import type { Usage } from 'throughline'
import type { ModelRequest } from '../server/model-request.ts'

/** How many tokens a provider has counted for a body, and where the list in it ends. */
interface Counted {
  /** Who asked which model. */
  of: string
  tokens: number
  bytes: number
  listEnd: number
}

type Sized = Pick<ModelRequest, 'body' | 'spans' | 'wire'>

// No text has fewer bytes for a token, give or take.
export const fewestBytes = 2
/** What is said of one text, is not said of the next: few have more bytes for a token. */
export const mostBytes = 5
// Other text has fewer: what has half as many is still within its window, where sessions begin.
const margin = 3 / 4
// Beyond it, it was something else that was counted.
const believable = 12

/**
 * What providers have counted, so that only a request that may be near its window need be looked at:
 * most begin with all bytes of one whose tokens are known, and what is new in them is short.
 */
export class CountedSizes {
  /** By the numbers of bodies. */
  readonly #bodies = new BoundedMap<Counted>()
  /** Bytes for a token, by the model as a caller reaches it. */
  readonly #ratios = new BoundedMap<number>()

  /** The most tokens that a request can have, by what was counted so far; `of` is who asks which model. */
  most(sized: Sized, of: string): number {
    const usual = this.#ratios.get(of) ?? fewestBytes
    return this.mostCounted(sized, of) ?? sized.body.length / usual
  }

  /** The same for a request that goes on from one that was counted. */
  mostCounted({ body, spans: { like } }: Sized, of: string): number | undefined {
    const known = like && this.#bodies.get(String(like.number))
    if (known?.of !== of || !like) return undefined
    const changed = Math.max(0, known.listEnd - like.bytes)
    const added = Math.max(0, body.length - known.bytes)
    return known.tokens + (changed + added) / fewestBytes
  }

  /** A body went out as it came, and was counted. */
  counted({ body, spans, wire }: Sized, of: string, usage: Usage | undefined): void {
    const tokens = (usage?.inputTokens ?? 0) + (usage?.clearedTokens ?? 0)
    const ratio = body.length / tokens
    if (!(ratio < believable)) return
    const listEnd = spans.fields.get(wire.list)?.end ?? 0
    this.#bodies.set(String(spans.number), { of, tokens, bytes: body.length, listEnd })
    this.#ratios.set(of, Math.max(fewestBytes, Math.min(ratio, mostBytes) * margin))
  }
}
