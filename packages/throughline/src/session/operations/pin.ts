import { PinBudgetError } from '../../compaction/errors.ts'
import {
  estimatedTokens,
  modelTokens,
  plus,
  sumEstimated,
  toModel,
  type ModelTokens,
} from '../../tokens/units.ts'
import { compareAndSwap } from './compare-and-swap.ts'
import { PinNotFoundError } from '../errors.ts'
import type { Ref, Seq } from '../../log/entry.ts'
import type { Internals } from '../internals.ts'

const perLine = estimatedTokens(1)

/**
 * Pins a text. Rules and pins are never sacrificed: together they must leave room for work.
 * @throws PinBudgetError
 */
export async function pin(session: Internals, text: string, ref: Ref | undefined): Promise<Seq> {
  const { policy, sizes } = session
  const { entry } = await compareAndSwap(session, async () => {
    const limit = modelTokens(policy.standing(sizes.budget().usable))
    const tokens = await tokensWith(session, text)
    if (tokens > limit) throw new PinBudgetError({ tokens, limit })
    return { draft: { kind: 'pin', at: session.now(), text, ...(ref && { ref }) } as const }
  })
  return entry.seq
}

/** How many tokens pins and rules would hold with this text. */
async function tokensWith({ views, sizes }: Internals, text: string): Promise<ModelTokens> {
  const pins = [...views.context().pins.values()].map((pin) => pin.text)
  const { rules } = await views.facts()
  const inForce = rules.filter((rule) => rule.retractedBy === undefined).map((rule) => rule.text)
  const { counter } = sizes
  const counted = [...pins, ...inForce, text].map((item) => plus(counter.text(item), perLine))
  return toModel(sumEstimated(counted), counter.ratio)
}

/** @throws PinNotFoundError if no such pin is in force. */
export async function unpin(session: Internals, pin: Seq): Promise<void> {
  await compareAndSwap(session, () => {
    const { pins } = session.views.context()
    const { id } = session.options
    if (!pins.has(pin)) throw new PinNotFoundError({ session: id, pin, pins: [...pins.keys()] })
    return { draft: { kind: 'unpin', at: session.now(), pin } as const }
  })
}
