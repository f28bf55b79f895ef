import type { Plugin } from './plugin.ts'
import { PluginError } from './errors.ts'
import { isSection, mostSections } from './read-answers.ts'

/**
 * Returns a plugin, frozen, with its types checked as you write it.
 * @throws PluginError if it is not a valid plugin.
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

const functions = ['template', 'beforeCompact', 'afterSummary', 'continuation', 'onEvent'] as const

/**
 * Returns the plugin if it is valid; untyped code may pass anything.
 * @throws PluginError that says what is wrong with it.
 */
export function checkPlugin(plugin: Plugin): Plugin {
  const problem = problemWith(plugin)
  if (problem === undefined) return plugin
  const name = typeof plugin?.name === 'string' ? plugin.name : ''
  throw new PluginError({ plugin: name, hook: 'definition', cause: new TypeError(problem) })
}

function problemWith(plugin: Plugin): string | undefined {
  if (typeof plugin !== 'object' || plugin === null) return 'it is not an object'
  if (typeof plugin.name !== 'string' || plugin.name.trim() === '') return 'it has no name'
  for (const key of functions) {
    if (plugin[key] !== undefined && typeof plugin[key] !== 'function') {
      return `its ${key} must be a function`
    }
  }
  if (!isListOf(plugin.protectedTools, (tool) => typeof tool === 'string')) {
    return 'its protectedTools must be a list of names'
  }
  if (!isListOf(plugin.lenses, isLens)) return 'its lenses must be a list of { tools, read }'
  if (!isListOf(plugin.sections, isSection))
    return 'its sections must be a list of { heading, guide }'
  if ((plugin.sections?.length ?? 0) > mostSections)
    return `it has more than ${mostSections} sections`
  return undefined
}

function isListOf(given: unknown, isItem: (item: unknown) => boolean): boolean {
  return given === undefined || (Array.isArray(given) && given.every(isItem))
}

function isLens(given: unknown): boolean {
  if (typeof given !== 'object' || given === null) return false
  const tools = 'tools' in given ? given.tools : undefined
  const isNames = Array.isArray(tools) && tools.every((tool) => typeof tool === 'string')
  return isNames && 'read' in given && typeof given.read === 'function'
}
