import { pricesOf } from '../../tokens/prices.ts'
import type { Prices } from '../../tokens/price-table.ts'
import { usage } from '../parse-arguments.ts'

const keys = { in: 'input', out: 'output', 'cache-read': 'cacheRead', 'cache-write': 'cacheWrite' }
const form = 'in=3,out=15,cache-read=0.3,cache-write=3.75 (the last two are optional)'

/**
 * The prices that `--prices` names: individual prices, or those of a model. `model` means the
 * session's own model.
 * @throws UsageError
 */
export function pricesOption(
  command: string,
  value: string | undefined,
  model: string | undefined,
): Prices | undefined {
  if (value === undefined) return undefined
  if (value.includes('=')) return pricesIn(command, value)
  const name = value === 'model' ? model : value
  if (name === undefined) {
    throw usage(command, `the session does not say which model it used; use --prices ${form}`)
  }
  const prices = pricesOf(name)
  if (prices) return prices
  throw usage(command, `the prices of ${JSON.stringify(name)} are unknown; use --prices ${form}`)
}

function pricesIn(command: string, value: string): Prices {
  const prices: Partial<Record<keyof Prices, number>> = {}
  for (const pair of value.split(',')) {
    const [, key = '', amount = ''] = /^ *([a-z-]+)=(\d{1,6}(?:\.\d{1,6})?) *$/.exec(pair) ?? []
    const name = Object.hasOwn(keys, key) ? keys[key as keyof typeof keys] : undefined
    if (name === undefined) {
      throw usage(
        command,
        `--prices contains ${JSON.stringify(pair.trim())}, which is not a price; use ${form}`,
      )
    }
    prices[name as keyof Prices] = Number(amount)
  }
  const { input, output } = prices
  if (input !== undefined && output !== undefined) return { ...prices, input, output }
  throw usage(command, `--prices needs at least in and out; use ${form}`)
}
