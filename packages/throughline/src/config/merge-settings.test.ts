import { expect, it } from 'vitest'
import { checkConfig } from './check/check-config.ts'
import { foldersOf } from './folders.ts'
import { mergeSettings, settingsFor } from './load-config.ts'
import type { Config } from './config.ts'
import type { Settings } from './setting.ts'

function settings(name: string, config: Config): Settings {
  return checkConfig(config, { path: `/${name}`, shown: name }, foldersOf({}, 'linux'))
}

const near = settings('near', {
  store: 'a',
  policy: { keep: 1, breaker: { pause: 1 } },
  models: { gpt: { keep: 2 }, 'gpt-5': { tail: 3, window: '64k' } },
  protectedTools: ['near'],
})
const far = settings('far', {
  recall: 'far',
  policy: { keep: 10, tail: 11, breaker: { pause: 12, failures: 13 } },
  models: { gpt: { keep: 14, tail: 15 }, o3: { window: '32k' } },
  protectedTools: ['far'],
})
const both = mergeSettings(near, far)

it('hears the first of two, key by key', () => {
  const { whole, policy } = both
  expect(whole).toMatchObject({ store: { given: 'a' }, recall: { given: 'far' } })
  expect(whole.protectedTools?.value).toEqual(['near'])
  expect(policy.values).toMatchObject({ keep: { given: 1 }, tail: { given: 11 } })
  expect(policy.breaker).toMatchObject({ pause: { value: 1 }, failures: { value: 13 } })
  expect(both.models.get('gpt')?.values).toMatchObject({ keep: { given: 2 }, tail: { given: 15 } })
  expect([...both.models.keys()].sort()).toEqual(['gpt', 'gpt-5', 'o3'])
})

it('hears the longest beginning of a name first, key by key', () => {
  const of = (model?: string) => {
    const { values, window } = settingsFor(both, model)
    return [values.keep?.given, values.tail?.given, window?.value.context]
  }
  expect(of('gpt-5.2-codex')).toEqual([2, 3, 64_000])
  expect(of('gpt-4o')).toEqual([2, 15, undefined])
  expect(of('o3')).toEqual([1, 11, 32_000])
  expect(of()).toEqual([1, 11, undefined])
})
