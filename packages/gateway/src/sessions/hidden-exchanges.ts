import type { Element } from '../body/elements.ts'
import type { OwnCall } from '../tools/tool-wire.ts'
import type { Fields } from '../body/json.ts'
import type { Hidden, Mark } from '../store/gateway-store.ts'
import type { Span } from '../body/spans.ts'
import type { Recognized } from '../identity/identify.ts'
import type { Wire } from '../wires/wire.ts'

/** An element of a conversation as it is sent: the client's own, or one that it has never seen. */
export interface SentElement {
  value: Fields
  span?: Span
}

/**
 * A conversation with the calls of our tools and what they gave: clients know nothing of them, and
 * the model must find them where they were. `heads` are its marks, the newest first.
 */
export function restored(
  hidden: readonly Hidden[],
  wire: Wire,
  { elements, heads }: { elements: readonly Element[]; heads: readonly Mark[] },
): readonly SentElement[] {
  if (hidden.length === 0) return elements
  const found = hidden
    // What says nothing, such as reasoning, has the mark of what stands before it.
    .map(({ after, exchange }) => ({ at: heads.lastIndexOf(after), exchange }))
    .filter(({ at }) => at >= 0)
    .map(({ at, exchange }) => ({ behind: heads.length - at, exchange }))
    .sort((a, b) => b.behind - a.behind)
  const spans = new Map(elements.map(({ value, span }) => [value, span]))
  let values = elements.map(({ value }) => value)
  for (const { behind, exchange } of found) {
    const following = values.slice(behind)
    // The answer itself has not come back yet.
    if (following.length === 0) continue
    values = [
      ...values.slice(0, behind),
      ...exchange.rounds.flatMap((round) => wire.tools.said(round)),
      ...wire.tools.restored(following, exchange),
    ]
  }
  return values.map((value) => {
    const span = spans.get(value)
    return { value, ...(span && { span }) }
  })
}

/** The same behind the marks of this version, where an earlier one has kept them behind its own. */
export function markedAnew(
  hidden: readonly Hidden[],
  earlier: Pick<Recognized, 'heads'>,
  { heads }: Pick<Recognized, 'heads'>,
): readonly Hidden[] {
  return hidden.map((one) => {
    const after = heads[earlier.heads.lastIndexOf(one.after)]
    return after === undefined ? one : { ...one, after }
  })
}

/** The call of `compact` with which the answer to the request with this mark has ended. */
export function compactCall(hidden: readonly Hidden[], to: Mark | undefined): OwnCall | undefined {
  const { exchange } = hidden.findLast(({ after }) => after === to) ?? {}
  if (!exchange) return undefined
  const results = [...exchange.rounds, ...(exchange.beside ? [exchange.beside] : [])].flatMap(
    (round) => round.results,
  )
  return results.findLast(({ call }) => call.name === 'compact')?.call
}
