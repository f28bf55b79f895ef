import { budgetOf } from '../../../compaction/plan/budget.ts'
import { presets } from '../../../compaction/presets.ts'
import { policyOf } from '../../../config/policy-of.ts'
import { settingsFor } from '../../../config/merge-settings.ts'
import { shownValue } from '../../../config/check/location.ts'
import { modelTokens } from '../../../tokens/units.ts'
import type { Configuration } from '../../../config/load-config.ts'
import type { ModelSettings, PolicySettings } from '../../../config/setting.ts'
import type { Setting } from '../../../config/setting.ts'
import type { Window } from '../../../tokens/window.ts'

/** One active value, and who set it. */
export interface InForce {
  key: string
  value: string | number | boolean | null
  /** Missing if the value comes from the default or the preset. */
  setting: Setting<unknown> | undefined
  /** What limits it to less than what was set. */
  limit?: string
}

/** All active values for a model in this window, one row each. */
export function valuesInForce(
  configuration: Configuration,
  window: Window,
  model: string | undefined,
): InForce[] {
  const { whole, models } = configuration.settings
  const { store, preset, protectedTools, lenses, plugins, recall } = whole
  const value = (key: string, setting: Setting<string> | undefined, otherwise: string | null) => ({
    key,
    value: setting?.value ?? otherwise,
    setting,
  })
  const each = (key: string, names: readonly string[], setting: Setting<unknown> | undefined) =>
    names.map((name): InForce => ({ key, value: name, setting }))
  return [
    value('store', store, null),
    value('preset', preset, 'default'),
    ...policyInForce(configuration, window, model),
    ...each('protectedTools', presets[preset?.value ?? 'default'].protectedTools, undefined),
    ...each('protectedTools', protectedTools?.value ?? [], protectedTools),
    ...(plugins?.value ?? []).flatMap((plugin) =>
      each('protectedTools', plugin.protectedTools ?? [], plugins),
    ),
    ...each('lenses', lenses?.value.map(({ tools }) => tools.join(', ')) ?? [], lenses),
    ...each('plugins', plugins?.value.map(({ name }) => name) ?? [], plugins),
    value('recall', recall, null),
    ...(model === undefined ? [...models.values()].flatMap(modelRows) : []),
  ]
}

function policyInForce(
  configuration: Configuration,
  window: Window,
  model: string | undefined,
): InForce[] {
  const policy = policyOf(configuration, model)
  const { values, breaker } = settingsFor(configuration.settings, model)
  const sizes = budgetOf(policy, window, modelTokens(0))
  const row = (
    key: string,
    value: InForce['value'],
    setting: Setting<unknown> | undefined,
  ): InForce => ({ key: `policy.${key}`, value, setting })
  const strategies = (['prune', 'cut', 'transcript', 'continuation'] as const).flatMap((key) =>
    values[key] === undefined ? [] : [row(key, 'a function', values[key])],
  )
  return [
    row('auto', policy.auto, values.auto),
    row('reserved', sizes.reserved, values.reserved),
    row('threshold', sizes.threshold, values.threshold),
    row('prepareAt', policy.prepareAt(sizes.usable), values.prepareAt),
    {
      ...row('lowWater', sizes.lowWater, values.lowWater),
      ...(sizes.lowWater < policy.lowWater(sizes.usable) && { limit: 'threshold' }),
    },
    {
      ...row('keep', sizes.keep, values.keep),
      ...(sizes.keep < policy.keep(sizes.usable) && { limit: 'lowWater' }),
    },
    row('tail', sizes.tail, values.tail),
    row('tailTurns', policy.tailTurns, values.tailTurns),
    row('recent', policy.recent(sizes.usable), values.recent),
    row('recentSteps', policy.recentSteps, values.recentSteps),
    row('olderMedia', policy.olderMedia, values.olderMedia),
    row('standing', policy.standing(sizes.usable), values.standing),
    row('names', policy.names(sizes.keep - sizes.tail), values.names),
    row('attempts', policy.attempts, values.attempts),
    row('breaker.failures', policy.breaker.failures, breaker.failures),
    row('breaker.pause', policy.breaker.pause, breaker.pause),
    row('summaryRole', policy.summaryRole('').role, values.summaryRole),
    ...strategies,
  ]
}

/** The settings for some models only, as written. */
function modelRows({ window, values, breaker }: ModelSettings): InForce[] {
  return [window, ...settingsIn({ values, breaker })].flatMap((setting) =>
    setting ? [{ key: setting.key, value: givenText(setting), setting }] : [],
  )
}

/** A value as written. */
export function givenText({ given }: Setting<unknown>): string {
  return typeof given === 'string' ? given : shownValue(given)
}

function settingsIn({ values, breaker }: PolicySettings): Setting<unknown>[] {
  return [...Object.values(values), ...Object.values(breaker)]
}
