import { presets } from '../compaction/presets.ts'
import { pluginTemplate, withPlugins } from '../session/plugins/with-plugins.ts'
import { settingsFor, type Configuration } from './load-config.ts'
import type { Policy } from '../compaction/policy.ts'
import type { Template } from '../compaction/summary/template.ts'
import type { Plugin } from '../session/plugins/plugin.ts'
import type { Window } from '../tokens/window.ts'
import type { Setting, SettingsOf } from './setting.ts'

/** The policy for a model, including the lenses and plugins of the configuration. */
export function policyOf({ settings }: Configuration, model: string | undefined): Policy {
  const { preset, protectedTools, lenses, plugins, recall } = settings.whole
  const base = presets[preset?.value ?? 'default']
  const own = settingsFor(settings, model)
  const policy: Policy = {
    ...base,
    ...valuesOf(own.values),
    breaker: { ...base.breaker, ...valuesOf(own.breaker) },
    protectedTools: [...base.protectedTools, ...(protectedTools?.value ?? [])],
    lenses: [...(lenses?.value ?? []), ...base.lenses],
    recallTool: recall?.value ?? base.recallTool,
    // It already includes the changes for the model.
    models: {},
  }
  return withPlugins(policy, plugins?.value ?? [])
}

/** The template of the first plugin that has one, with the sections that plugins add. */
export function templateOf({ settings }: Configuration): Template | undefined {
  return pluginTemplate(settings.whole.plugins?.value ?? [])
}

/**
 * The plugins of the configuration for a session or compaction that also gets its policy and
 * template from it: without the parts that are already in those.
 */
export function pluginsOf({ settings }: Configuration): Plugin[] {
  return (settings.whole.plugins?.value ?? []).map((plugin): Plugin => ({
    name: plugin.name,
    ...(plugin.beforeCompact && { beforeCompact: (request) => plugin.beforeCompact?.(request) }),
    ...(plugin.afterSummary && { afterSummary: (request) => plugin.afterSummary?.(request) }),
    ...(plugin.onEvent && { onEvent: (event, source) => plugin.onEvent?.(event, source) }),
  }))
}

/** The window that the configuration names for a model. */
export function windowFor(
  { settings }: Configuration,
  model: string | undefined,
): Setting<Window> | undefined {
  return settingsFor(settings, model).window
}

function valuesOf<Values>(settings: SettingsOf<Values>): Partial<Values> {
  const values: Partial<Values> = {}
  for (const [key, setting] of Object.entries(settings) as [
    keyof Values,
    Setting<Values[keyof Values]>,
  ][]) {
    values[key] = setting.value
  }
  return values
}
