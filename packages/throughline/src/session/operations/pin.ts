import { PinBudgetError } from '../../compaction/errors.ts'
import {
  estimatedTokens,
  modelTokens,
  plus,
  sumEstimated,
  toModel,
  type ModelTokens,
} from '../../tokens/units.ts'
import { PinNotFoundError } from '../errors.ts'
import type { Entry, Ref, Seq } from '../../log/entry.ts'
import type { Internals } from '../internals.ts'

const perLine = estimatedTokens(1)

/**
 * Pins a text. Rules and pins are never sacrificed: together they must leave room for work.
 * @throws PinBudgetError
 */
export async function pin(session: Internals, text: string, ref: Ref | undefined): Promise<Seq> {
  const { policy, sizes } = session
  const limit = modelTokens(policy.standing(sizes.budget().usable))
  const tokens = await tokensWith(session, text)
  if (tokens > limit) throw new PinBudgetError({ tokens, limit })
  const draft = { kind: 'pin', at: session.now(), text, ...(ref && { ref }) } as const
  const [entry] = await session.append(draft)
  return (entry as Entry).seq
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
  const { pins } = session.views.context()
  const { id } = session.options
  if (!pins.has(pin)) throw new PinNotFoundError({ session: id, pin, pins: [...pins.keys()] })
  await session.append({ kind: 'unpin', at: session.now(), pin })
}
