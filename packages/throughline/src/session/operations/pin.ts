import { PinBudgetError } from '../../compaction/errors.ts'
import type { Counter } from '../../tokens/counter.ts'
import { PinNotFoundError } from '../errors.ts'
import {
  estimatedTokens,
  plus,
  sumEstimated,
  toModel,
  type ModelTokens,
} from '../../tokens/units.ts'
import type { Context } from '../../log/context.ts'
import type { Facts } from '../../facts/facts.ts'
import type { Seq } from '../../log/entry.ts'

const perLine = estimatedTokens(1)

/**
 * Makes sure that a pin leaves room for work: rules and pins are never sacrificed, so
 * together they may only hold `limit` tokens of the model.
 * @throws PinBudgetError
 */
export function checkPin(
  text: string,
  context: Context,
  facts: Facts,
  counter: Counter,
  limit: ModelTokens,
): void {
  const pins = [...context.pins.values()].map((pin) => pin.text)
  const rules = facts.rules
    .filter((rule) => rule.retractedBy === undefined)
    .map((rule) => rule.text)
  const counted = [...pins, ...rules, text].map((item) => plus(counter.text(item), perLine))
  const tokens = toModel(sumEstimated(counted), counter.ratio)
  if (tokens > limit) throw new PinBudgetError({ tokens, limit })
}

/**
 * Makes sure that there is something to unpin.
 * @throws PinNotFoundError
 */
export function checkUnpin(pin: Seq, session: string, { pins }: Context): void {
  if (!pins.has(pin)) throw new PinNotFoundError({ session, pin, pins: [...pins.keys()] })
}
