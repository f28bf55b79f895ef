import { fieldsOf } from '../../json/fields.ts'
import { tokensOf } from './amount.ts'
import { fieldsAt, settingsAt, type Checks } from './fields.ts'
import { inside, problem, wrong, type Check } from './place.ts'
import { policyKeys, policySettingsAt } from './policy.ts'
import type { ModelSettings } from '../setting.ts'
import type { Window } from '../../tokens/window.ts'

/** What differs for models, by the beginning of their name. */
export const models: Check<ReadonlyMap<string, ModelSettings>> = (given, at) => {
  const byBeginning = fieldsOf(given)
  if (!byBeginning)
    throw wrong(given, at, 'an object, with the beginnings of models’ names as keys')
  const settings = new Map<string, ModelSettings>()
  for (const [beginning, own] of Object.entries(byBeginning)) {
    const place = inside(at, beginning)
    if (beginning === '') throw problem(place, 'is no name; give the beginning of a model’s name.')
    if (own === undefined) continue
    const fields = fieldsAt(own, place, ['window', ...policyKeys])
    settings.set(beginning, {
      ...policySettingsAt(fields, place),
      ...settingsAt<{ window: Window }>({ window: windowAt }, fields, place),
    })
  }
  return settings
}

const windowAt: Check<Window> = (given, at) => {
  const context = tokensOf(given)
  if (context !== undefined && context > 0) return { context }
  const fields = fieldsOf(given)
  if (!fields)
    throw wrong(given, at, 'tokens such as 200000 or "200k", or { context, input, output }')
  fieldsAt(given, at, ['context', 'input', 'output'])
  const { context: whole, input, output } = settingsAt<Required<Window>>(limits, fields, at)
  if (!whole) throw wrong(undefined, inside(at, 'context'), tokensWanted)
  return {
    context: whole.value,
    ...(input && { input: input.value }),
    ...(output && { output: output.value }),
  }
}

const tokensWanted = 'tokens such as 200000 or "200k"'

const limit: Check<number> = (given, at) => {
  const tokens = tokensOf(given)
  if (tokens !== undefined && tokens > 0) return tokens
  throw wrong(given, at, tokensWanted)
}

const limits: Checks<Required<Window>> = { context: limit, input: limit, output: limit }
