import { summaryAsSystem, summaryAsUser, type SummaryRole } from '../../compaction/render/summary-block.ts'
import { usableTokens, type Window } from '../../tokens/window.ts'
import { amount } from './amount.ts'
import { fieldsAt, keysOf, settingsAt, type Checks } from './fields.ts'
import { inside, type Check, type Place } from './place.ts'
import { ownFunction, trueOrFalse, wholeNumber, word } from './values.ts'
import type { Policy } from '../../compaction/policy.ts'
import type { Fields } from '../../json/fields.ts'
import type { PolicySettings, PolicyValues } from '../setting.ts'

const wholeWindow = (window: Window): number => usableTokens(window, 0)
const usableItself = (usable: number): number => usable
const wholeRoom = (room: number): number => room

const roles = { user: summaryAsUser, system: summaryAsSystem } as const

const summaryRole: Check<SummaryRole> = (given, at) => {
  if (typeof given === 'function') return ownFunction<SummaryRole>()(given, at)
  return roles[word(['user', 'system'])(given, at)]
}

const policyChecks: Checks<PolicyValues> = {
  auto: trueOrFalse,
  reserved: amount(wholeWindow, 0),
  threshold: amount(usableItself, 1),
  prepareAt: amount(usableItself, 0),
  lowWater: amount(usableItself, 1),
  keep: amount(usableItself, 1),
  tail: amount<[usable: number, keep: number]>(usableItself, 1),
  tailTurns: wholeNumber(1),
  recent: amount(usableItself, 0),
  recentSteps: wholeNumber(0),
  standing: amount(usableItself, 0),
  names: amount(wholeRoom, 0),
  attempts: wholeNumber(0),
  summaryRole,
  prune: ownFunction(),
  cut: ownFunction(),
  transcript: ownFunction(),
  continuation: ownFunction(),
}

const breakerChecks: Checks<Policy['breaker']> = {
  failures: wholeNumber(1),
  pause: wholeNumber(0),
}

/** What can be set of a policy. */
export const policyKeys: readonly string[] = [...Object.keys(policyChecks), 'breaker']

/** The settings of a policy, in an object whose keys are known already. */
export function policySettingsAt(fields: Fields, at: Place): PolicySettings {
  const values = settingsAt<PolicyValues>(policyChecks, fields, at)
  const given = fields['breaker']
  if (given === undefined) return { values, breaker: {} }
  const place = inside(at, 'breaker')
  const breaker = fieldsAt(given, place, keysOf(breakerChecks))
  return { values, breaker: settingsAt<Policy['breaker']>(breakerChecks, breaker, place) }
}
