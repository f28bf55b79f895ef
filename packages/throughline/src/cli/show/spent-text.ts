import { counted, withThousands } from '../terminal/numbers.ts'

/**
 * What a summary took: `2 requests, 12,000 tokens in (10,000 cached), 900 out, $0.0131`. Nothing
 * where a log says something else there: it may come from anywhere.
 */
export function spentText(spent: unknown): string | undefined {
  if (typeof spent !== 'object' || spent === null) return undefined
  const fields = spent as Readonly<Record<string, unknown>>
  const calls = amountOf(fields['calls'])
  const input = amountOf(fields['inputTokens'])
  const output = amountOf(fields['outputTokens'])
  if (calls === undefined || input === undefined || output === undefined) return undefined
  const cached = amountOf(fields['cacheReadTokens'])
  const cost = amountOf(fields['cost'])
  const parts = [
    counted(calls, 'request'),
    `${withThousands(input)} tokens in${cached ? ` (${withThousands(cached)} cached)` : ''}`,
    `${withThousands(output)} out`,
    ...(cost === undefined ? [] : [dollars(cost)]),
  ]
  return parts.join(', ')
}

function amountOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}

/** Two digits that say something: `$0.013`, `$1.20`. */
function dollars(amount: number): string {
  if (amount >= 0.1 || amount === 0) return `$${amount.toFixed(2)}`
  return amount < 0.0001 ? '<$0.0001' : `$${Number(amount.toPrecision(2))}`
}
