import { fieldsAt, keysOf, type Checks } from './fields.ts'
import { inside, wrong, type Check } from './place.ts'
import { codeLenses } from './lenses.ts'
import { list, ownFunction, text } from './values.ts'
import type { Plugin } from '../../session/plugin.ts'

const checks: Checks<Plugin> = {
  name: text('the name of the plugin'),
  protectedTools: list(text('the name of a tool')),
  lenses: codeLenses,
  template: ownFunction(),
  continuation: ownFunction(),
}

const plugin: Check<Plugin> = (given, at) => {
  if (typeof given !== 'object' || given === null) {
    throw wrong(given, at, 'the plugin itself, in a .ts, .js or .mjs file')
  }
  const fields = fieldsAt(given, at, keysOf(checks))
  for (const key of keysOf(checks)) {
    if (key === 'name' || fields[key] !== undefined) checks[key](fields[key], inside(at, key))
  }
  // The object itself: its functions may speak of `this`.
  return given as Plugin
}

export const plugins = list(plugin)
