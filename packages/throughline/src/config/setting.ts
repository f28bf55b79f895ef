import type { Policy } from '../compaction/policy.ts'
import type { presets } from '../compaction/presets.ts'
import type { ToolLens } from '../facts/lens.ts'
import type { Plugin } from '../session/plugins/plugin.ts'
import type { Window } from '../tokens/window.ts'
import type { AmountKey, PlainKey } from './config.ts'
import type { ConfigFile } from './errors.ts'

/** A value that somebody set. */
export interface Setting<Value> {
  value: Value
  /** As it was written: `'40%'`. */
  given: unknown
  /** What it was set as: `policy.keep`. */
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

/** What can be set of a policy, as the policy takes it. */
export type PolicyValues = Pick<Policy, AmountKey | PlainKey | 'summaryRole'>

export interface PolicySettings {
  values: SettingsOf<PolicyValues>
  breaker: SettingsOf<Policy['breaker']>
}

export interface ModelSettings extends PolicySettings {
  window?: Setting<Window>
}

/** What can be set besides, each as one value. */
export interface WholeValues {
  /** An absolute path. */
  store: string
  preset: keyof typeof presets
  protectedTools: readonly string[]
  lenses: readonly ToolLens[]
  plugins: readonly Plugin[]
  recall: string
}

/** All that was set, in one place or in several together. */
export interface Settings {
  whole: SettingsOf<WholeValues>
  policy: PolicySettings
  /** By the beginning of the model's name. */
  models: ReadonlyMap<string, ModelSettings>
}

export const noSettings: Settings = {
  whole: {},
  policy: { values: {}, breaker: {} },
  models: new Map(),
}
