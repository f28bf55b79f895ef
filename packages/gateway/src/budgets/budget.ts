import type { Usage } from 'throughline'

/** What answers have taken, or will: tokens in and out, and millionths of a US dollar. */
export interface Cost {
  tokens: number
  microdollars: number
}

/** So much in each minute or day, in UTC. */
export interface Budget {
  /** Its name in the store: no other budget has it. */
  id: string
  /** What it is called in metrics: the same for all callers. */
  name: string
  /** Whose it is, as its refusals say: `The key mine`. */
  whose: string
  of: keyof Cost
  per: 'minute' | 'day'
  most: number
  /** Whether nothing is served while the store cannot say how much is left. */
  failClosed: boolean
}

/** What an operator grants a key or a team. */
export interface Limits {
  tokensPerMinute?: number | undefined
  tokensPerDay?: number | undefined
  dollarsPerDay?: number | undefined
}

const microdollars = 1_000_000

export function budgetsOf(
  { tokensPerMinute, tokensPerDay, dollarsPerDay }: Limits,
  { id, name, whose, failClosed }: Pick<Budget, 'id' | 'name' | 'whose' | 'failClosed'>,
): Budget[] {
  const dollars = dollarsPerDay === undefined ? undefined : dollarsPerDay * microdollars
  const all = [
    { kind: '', of: 'tokens', per: 'day', most: tokensPerDay },
    { kind: ' in dollars', of: 'microdollars', per: 'day', most: dollars },
    // The last: who is refused is told to wait for what takes the longest.
    { kind: ' per minute', of: 'tokens', per: 'minute', most: tokensPerMinute },
  ] as const
  return all.flatMap(({ kind, of, per, most }) => {
    if (most === undefined) return []
    const called = { id: id + kind, name: name + kind }
    return [{ ...called, of, per, most: Math.round(most), whose, failClosed }]
  })
}

/** The period of a budget that a time is in: `2026-11-22`, or with a minute `2026-11-22T23:59`. */
export function periodOf({ per }: Pick<Budget, 'per'>, now: number): string {
  return new Date(now).toISOString().slice(0, per === 'day' ? 10 : 16)
}

/** In how many seconds the next period of a budget begins. */
export function secondsLeft({ per }: Pick<Budget, 'per'>, now: number): number {
  const length = per === 'day' ? 24 * 60 * 60_000 : 60_000
  return Math.ceil((length - (now % length)) / 1_000)
}

/** What is left, in the words of its owner. */
export function nameOf({ of, per, most }: Pick<Budget, 'of' | 'per' | 'most'>): string {
  const amount = of === 'tokens' ? `${most} tokens` : `$${most / microdollars}`
  return per === 'day' ? `${amount} of this day (UTC)` : `${amount} of this minute`
}

export function costOfUsage(usage: Usage, dollarsOf: (usage: Usage) => number): Cost {
  return {
    tokens: usage.inputTokens + usage.outputTokens,
    microdollars: Math.ceil(dollarsOf(usage) * microdollars),
  }
}
