import type { ModelSettings, PolicySettings, Settings } from './setting.ts'

/** Merges both, key by key; if both set a key, the first wins. */
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

/** The settings for one model: the general ones, overridden by those for beginnings of its name. */
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
