import type { ModelSettings, PolicySettings, Settings } from './setting.ts'

/** Both together, key by key; where both say something, the first is heard. */
export function mergeSettings(first: Settings, second: Settings): Settings {
  const models = new Map(second.models)
  for (const [beginning, own] of first.models) {
    const other = models.get(beginning)
    models.set(beginning, other ? mergeModel(own, other) : own)
  }
  return {
    whole: { ...second.whole, ...first.whole },
    policy: mergePolicy(first.policy, second.policy),
    models,
  }
}

/** What holds for one model: the general, and over it what its name's beginnings say. */
export function settingsFor(settings: Settings, model: string | undefined): ModelSettings {
  return [...settings.models]
    .filter(([beginning]) => model?.startsWith(beginning))
    .sort(([a], [b]) => a.length - b.length)
    .reduce<ModelSettings>((general, [, own]) => mergeModel(own, general), settings.policy)
}

function mergeModel(first: ModelSettings, second: ModelSettings): ModelSettings {
  const window = first.window ?? second.window
  return { ...mergePolicy(first, second), ...(window && { window }) }
}

function mergePolicy(first: PolicySettings, second: PolicySettings): PolicySettings {
  return {
    values: { ...second.values, ...first.values },
    breaker: { ...second.breaker, ...first.breaker },
  }
}
