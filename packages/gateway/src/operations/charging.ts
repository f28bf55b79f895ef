import { costOf, pricesOf } from 'throughline/engine'
import { budgetsOf, type Budget } from '../budgets/budget.ts'
import type { KeyPolicy, TeamConfig } from './config.ts'
import type { Usage } from 'throughline'

/** All that the requests of a key are charged to: its own budgets, and those of its team. */
export function budgetsOfKey(policy: KeyPolicy, { teams }: Pick<TeamConfig, 'teams'>): Budget[] {
  const { name, team, failClosed } = policy
  const own = budgetsOf(policy, { id: name, name, whose: `The key ${name}`, failClosed })
  if (team === undefined) return own
  const id = `team ${team}`
  const whose = `The team ${team}`
  return [...own, ...budgetsOf(teams[team] ?? {}, { id, name: id, whose, failClosed })]
}

/** What each caller may use, whoever it is; `account` is the name under which that is kept. */
export function budgetsOfCaller(
  account: string,
  { callers }: Pick<TeamConfig, 'callers'>,
  failClosed: boolean,
): Budget[] {
  const whose = 'This caller'
  return budgetsOf(callers, { id: account, name: 'callers', whose, failClosed })
}

// The dearest of all list prices: a budget must hold where nobody has named a price.
const unknown = { input: 15, output: 75 }

/** What a usage costs in US dollars, by the operator’s prices, or else by list prices. */
export function dollarsOf(
  usage: Usage,
  model: string | undefined,
  config: Pick<TeamConfig, 'prices'>,
): number {
  return costOf(usage, pricesFor(model, config) ?? unknown)
}

/** The prices of a model; `undefined` where nobody knows them. */
export function pricesFor(
  model: string | undefined,
  { prices }: Pick<TeamConfig, 'prices'>,
): ModelPrices | undefined {
  if (model === undefined) return undefined
  return Object.hasOwn(prices, model) ? prices[model] : pricesOf(model)
}

/** US dollars per million tokens. */
export type ModelPrices = TeamConfig['prices'][string]
