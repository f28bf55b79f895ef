import type { Policy } from '../compaction/policy.ts'
import type { presets } from '../compaction/presets.ts'
import type { ToolLens } from '../facts/lens.ts'
import type { Plugin } from '../session/plugins/plugin.ts'
import type { Window } from '../tokens/window.ts'
import type { LensRow } from './lens-row.ts'

/** What stands in `throughline.config.ts` or one of its kin; everything may be left out. */
export interface Config {
  /** The file of the session store, relative to this file; `~` is the user's home. */
  store?: string
  /** The policy to start from; by default `default`. */
  preset?: keyof typeof presets
  /** What differs from it. */
  policy?: PolicyConfig
  /** Tools whose results are never pruned, besides those of the policy. */
  protectedTools?: readonly string[]
  /** What differs for models whose name begins so; longer beginnings win, key by key. */
  models?: Readonly<Record<string, ModelConfig>>
  /** How to read tools that Throughline does not know. */
  lenses?: readonly (ToolLens | LensRow)[]
  plugins?: readonly Plugin[]
  /** By which name the model calls the tool that reads back what was compacted. */
  recall?: string
}

/**
 * Tokens: `8000`, `'8k'`, or a share such as `'40%'`, of the window for `reserved` and of what
 * is usable for all others.
 */
export type Amount = number | string

/** The keys whose plain values are amounts. */
export type AmountKey =
  | 'reserved'
  | 'threshold'
  | 'prepareAt'
  | 'names'
  | 'lowWater'
  | 'keep'
  | 'tail'
  | 'recent'
  | 'standing'

/** The keys whose values are the same here as in a {@link Policy}. */
export type PlainKey =
  | 'auto'
  | 'tailTurns'
  | 'recentSteps'
  | 'attempts'
  | 'prune'
  | 'cut'
  | 'transcript'
  | 'continuation'

/** A {@link Policy} as it is written down: functions are possible, plain values do. */
export interface PolicyConfig
  extends Partial<Pick<Policy, PlainKey>>, Partial<{ [Key in AmountKey]: Amount | Policy[Key] }> {
  breaker?: Partial<Policy['breaker']>
  summaryRole?: 'user' | 'system' | Policy['summaryRole']
}

export interface ModelConfig extends PolicyConfig {
  /** The model's limits: `'200k'`, or each by itself. */
  window?: Amount | ({ context: Amount } & { [Limit in Exclude<keyof Window, 'context'>]?: Amount })
}
