import { pluginTemplate } from '../plugins/with-plugins.ts'
import type { Template } from '../../compaction/summary/template.ts'
import type { Internals } from '../internals.ts'

/** The template of a compaction, if the caller, the session or a plugin names one. */
export function sessionTemplate(
  { options: { template, plugins = [] }, pluginFailures }: Internals,
  asked?: Template,
): Template | undefined {
  return pluginTemplate(plugins, asked ?? template, pluginFailures.add)
}
