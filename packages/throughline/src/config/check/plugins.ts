import { fieldsAt, keysOf, type Checks } from './fields.ts'
import { inside, wrong, type Check } from './place.ts'
import { codeLenses } from './lenses.ts'
import { list, ownFunction, text } from './values.ts'
import type { Section } from '../../compaction/summary/template.ts'
import type { Plugin } from '../../session/plugins/plugin.ts'

const section: Check<Section> = (given, at) => {
  const { heading, guide } = fieldsAt(given, at, ['heading', 'guide'])
  const expected = 'a heading of one line'
  const checked = text(expected)(heading, inside(at, 'heading'))
  if (/[\n\r]/.test(checked) || checked.length > 100) {
    throw wrong(heading, inside(at, 'heading'), expected)
  }
  return { heading: checked, guide: text('what belongs under it')(guide, inside(at, 'guide')) }
}

const checks: Checks<Plugin> = {
  name: text('the name of the plugin'),
  protectedTools: list(text('the name of a tool')),
  lenses: codeLenses,
  template: ownFunction(),
  sections: list(section),
  beforeCompact: ownFunction(),
  afterSummary: ownFunction(),
  continuation: ownFunction(),
  onEvent: ownFunction(),
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
