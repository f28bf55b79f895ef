import { givenText } from './in-force.ts'
import type { Setting } from '../../config/setting.ts'
import type { Shown } from './config-lines.ts'

/** The object of `config --json`. */
export function configJson({ lookups, model, choice, values, preset }: Shown) {
  return {
    version: 1,
    model: model ?? null,
    window: { ...choice.window, from: choice.from },
    files: lookups.map(({ where, place, file }) => ({ where, place, file: file?.path ?? null })),
    values: values.map(({ key, value, setting, limit }) => ({
      key,
      value,
      ...(limit !== undefined && { limit }),
      from: setting ? sourceOf(setting) : { type: 'preset', name: preset },
    })),
  }
}

function sourceOf(setting: Setting<unknown>) {
  const { from, key } = setting
  if (from.type === 'default') return from
  const written = { key, given: givenText(setting) }
  return from.type === 'file'
    ? { type: from.type, file: from.file.path, ...written }
    : { ...from, ...written }
}
