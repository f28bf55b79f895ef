import type { Policy } from '../compaction/policy.ts'
import type { presets } from '../compaction/presets.ts'
import type { ToolLens } from '../facts/lens.ts'
import type { Plugin } from '../session/plugins/plugin.ts'
import type { Window } from '../tokens/window.ts'
import type { LensRow } from './lens-row.ts'

/** The content of `throughline.config.ts` or one of its variants. Everything is optional. */
export interface Config {
  /** The file of the session store, relative to this file; `~` is the user's home. */
  store?: string
  /** The policy to start from; `default` if omitted. */
  preset?: keyof typeof presets
  policy?: PolicyConfig
  /** Tools whose results are never pruned, in addition to the policy's. */
  protectedTools?: readonly string[]
  /**
   * Changes for models whose name begins with the key; for each setting, the longest match wins.
   */
  models?: Readonly<Record<string, ModelConfig>>
  /** How to read tools that Throughline doesn't know. */
  lenses?: readonly (ToolLens | LensRow)[]
  plugins?: readonly Plugin[]
  /** The model's name for the tool that reads back compacted content. */
  recall?: string
}

/**
 * Tokens: `8000`, `'8k'`, or a percentage such as `'40%'`: of the window for `reserved`, of the
 * summary's budget for `names`, of the usable window for everything else.
 */
type Amount = number | string

/** The keys whose plain values are amounts. */
export type AmountKey =
  | 'reserved'
  | 'threshold'
  | 'prepareAt'
  | 'names'
  | 'lowWater'
  | 'keep'
  | 'tail'
  | 'longestTail'
  | 'recent'
  | 'standing'

/** The keys whose values are the same as in a {@link Policy}. */
export type PlainKey =
  | 'auto'
  | 'tailTurns'
  | 'recentSteps'
  | 'olderMedia'
  | 'attempts'
  | 'summaryTimeout'
  | 'hookTimeout'
  | 'storeTimeout'
  | 'prune'
  | 'pruneAlone'
  | 'cut'
  | 'transcript'
  | 'continuation'
  | 'cold'

/** A {@link Policy} in a configuration: functions are possible, plain values are enough. */
export interface PolicyConfig
  extends Partial<Pick<Policy, PlainKey>>, Partial<{ [Key in AmountKey]: Amount | Policy[Key] }> {
  breaker?: Partial<Policy['breaker']>
  summaryRole?: 'user' | 'system' | Policy['summaryRole']
}

interface ModelConfig extends PolicyConfig {
  /** The model's limits: `'200k'`, or each limit separately. */
  window?: Amount | ({ context: Amount } & { [Limit in Exclude<keyof Window, 'context'>]?: Amount })
}

/**
 * Returns a configuration unchanged, with its types checked as you write it.
 * @example
 * export default defineConfig({ policy: { keep: '30%' }, models: { 'my-model': { window: '64k' } } })
 */
export function defineConfig(config: Config): Config {
  return config
}
