import { compactWithHooks } from '../../compaction/hooks/compact-with-hooks.ts'
import { pluginHooks } from '../plugins/plugin-hooks.ts'
import type { Compaction, CompactOptions } from '../../compaction/compaction.ts'
import type { PlanInput } from '../../compaction/plan/plan.ts'
import type { Plugin } from '../plugins/plugin.ts'
import type { PluginFailed } from '../plugins/errors.ts'

export { factsOf } from '../../facts/facts-of.ts'

/** Carries out a compaction that is due. */
export function carryOut(
  input: PlanInput,
  options: CompactOptions,
  { plugins, ...asked }: { plugins: readonly Plugin[]; failed: PluginFailed; limit: number },
): Promise<Compaction> {
  return compactWithHooks(input, options, pluginHooks(plugins, asked))
}
