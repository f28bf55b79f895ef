import type { Policy } from '../compaction/policy.ts'
import type { presets } from '../compaction/presets.ts'
import type { ToolLens } from '../facts/lens.ts'
import type { Plugin } from '../session/plugins/plugin.ts'
import type { Window } from '../tokens/window.ts'
import type { AmountKey, PlainKey } from './config.ts'
import type { ConfigFile } from './errors.ts'

export interface Setting<Value> {
  value: Value
  /** As written: `'40%'`. */
  given: unknown
  /** The key it was set with: `policy.keep`. */
  key: string
  from: Source
}

/** Where a value was taken from. */
export type Source =
  | { type: 'default' }
  | { type: 'file'; file: ConfigFile }
  | { type: 'environment'; name: string }
  | { type: 'option'; name: string }

export type SettingsOf<Values> = { [Key in keyof Values]?: Setting<Values[Key]> }

export type PolicyValues = Pick<Policy, AmountKey | PlainKey | 'summaryRole'>

/** A policy's settings, each with where it comes from. */
export interface PolicySettings {
  values: SettingsOf<PolicyValues>
  breaker: SettingsOf<Policy['breaker']>
}

/** The settings of one model, each with where it comes from. */
export interface ModelSettings extends PolicySettings {
  window?: Setting<Window>
}

/** The other settings, each as one value. */
export interface WholeValues {
  /** An absolute path. */
  store: string
  preset: keyof typeof presets
  protectedTools: readonly string[]
  lenses: readonly ToolLens[]
  plugins: readonly Plugin[]
  recall: string
}

/** Everything that was set, in one place or in several combined. */
export interface Settings {
  whole: SettingsOf<WholeValues>
  policy: PolicySettings
  /** Keyed by the beginning of the model's name. */
  models: ReadonlyMap<string, ModelSettings>
}

export const noSettings: Settings = {
  whole: {},
  policy: { values: {}, breaker: {} },
  models: new Map(),
}
