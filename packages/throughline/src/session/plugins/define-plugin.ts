import { checkPlugin } from './check-plugin.ts'
import type { Plugin } from './plugin.ts'

/**
 * Gives a plugin back, frozen, with its types checked while it is written.
 * @throws PluginError if it is none.
 * @example
 * const deploys = definePlugin({
 *   name: 'deploys',
 *   protectedTools: ['runbook'],
 *   sections: [{ heading: 'Deploys', guide: 'What was deployed where.' }],
 * })
 */
export function definePlugin(plugin: Plugin): Readonly<Plugin> {
  return Object.freeze(checkPlugin(plugin))
}
