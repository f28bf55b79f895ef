import { pricesOf, type Prices } from '../../../../tokens/prices.ts'
import { usage } from '../../../parse-arguments.ts'

const keys = { in: 'input', out: 'output', 'cache-read': 'cacheRead', 'cache-write': 'cacheWrite' }
const form = 'in=3,out=15,cache-read=0.3,cache-write=3.75 (the last two may be left out)'

/**
 * The prices that `--prices` names: each by itself, or those of a model. `model` is that of the
 * session.
 * @throws UsageError
 */
export function pricesOption(
  value: string | undefined,
  model: string | undefined,
): Prices | undefined {
  if (value === undefined) return undefined
  if (value.includes('=')) return pricesIn(value)
  const name = value === 'model' ? model : value
  if (name === undefined) {
    throw usage('replay', `the session does not say which model it ran on; give --prices ${form}`)
  }
  const prices = pricesOf(name)
  if (prices) return prices
  throw usage('replay', `no prices are known of ${JSON.stringify(name)}; give --prices ${form}`)
}

function pricesIn(value: string): Prices {
  const prices: Partial<Record<keyof Prices, number>> = {}
  for (const pair of value.split(',')) {
    const [, key = '', amount = ''] = /^ *([a-z-]+)=(\d{1,6}(?:\.\d{1,6})?) *$/.exec(pair) ?? []
    const name = Object.hasOwn(keys, key) ? keys[key as keyof typeof keys] : undefined
    if (name === undefined) {
      throw usage('replay', `--prices cannot read ${JSON.stringify(pair.trim())}; give ${form}`)
    }
    prices[name as keyof Prices] = Number(amount)
  }
  const { input, output } = prices
  if (input !== undefined && output !== undefined) return { ...prices, input, output }
  throw usage('replay', `--prices needs at least in and out; give ${form}`)
}
