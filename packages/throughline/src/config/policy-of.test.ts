import { describe, expect, it } from 'vitest'
import { checkConfig } from './check/check-config.ts'
import { defaultPolicy, type Policy } from '../compaction/policy.ts'
import { presets } from '../compaction/presets.ts'
import { foldersOf } from './folders.ts'
import { policyOf, templateOf, windowFor } from './policy-of.ts'
import type { Config, PolicyConfig } from './config.ts'
import type { Configuration } from './load-config.ts'
import { estimatedTokens } from '../tokens/units.ts'

function configured(config: Config): Configuration {
  const file = { path: '/code/throughline.config.ts', shown: 'throughline.config.ts' }
  return { settings: checkConfig(config, file, foldersOf({}, 'linux')), lookups: [] }
}

/** A policy as plain data, for a window of 100,000 with 80,000 of it usable. */
function numbersOf(policy: Policy) {
  return Object.fromEntries(
    Object.entries(policy).map(([key, value]) => {
      if (key === 'reserved') return [key, policy.reserved({ context: 100_000 })]
      if (key === 'longestTail') return [key, policy.longestTail(80_000, 30_000)]
      if (key === 'tail') return [key, policy.tail(80_000, 30_000)]
      if (key === 'summaryRole') return [key, policy.summaryRole('').role]
      if (typeof value !== 'function' || value.length > 1) return [key, value]
      return ['prune', 'pruneAlone', 'cut', 'transcript', 'continuation', 'cold'].includes(key)
        ? [key, value]
        : [key, value(80_000)]
    }),
  )
}

const prune: Policy['prune'] = () => undefined
const pruneAlone: Policy['pruneAlone'] = () => true
const cut: Policy['cut'] = () => ({ tail: [], tailTokens: estimatedTokens(0), head: [] })
const transcript: Policy['transcript'] = () => []
const continuation: Policy['continuation'] = () => null
const cold: Policy['cold'] = () => undefined

describe('policyOf', () => {
  it('is the default where nothing is said', () => {
    expect(numbersOf(policyOf(configured({}), 'any'))).toEqual(numbersOf(defaultPolicy))
  })

  const changes: [keyof PolicyConfig, PolicyConfig, unknown][] = [
    ['auto', { auto: false }, false],
    ['reserved', { reserved: '30%' }, 30_000],
    ['threshold', { threshold: '50%' }, 40_000],
    ['prepareAt', { prepareAt: '100%' }, 80_000],
    ['lowWater', { lowWater: 9 }, 9],
    ['keep', { keep: '12k' }, 12_000],
    ['tail', { tail: (usable, keep) => usable + keep }, 110_000],
    ['longestTail', { longestTail: '10%' }, 8_000],
    ['tailTurns', { tailTurns: 5 }, 5],
    ['recent', { recent: '10%' }, 8_000],
    ['recentSteps', { recentSteps: 7 }, 7],
    ['olderMedia', { olderMedia: 1 }, 1],
    ['standing', { standing: 100 }, 100],
    ['names', { names: '25%' }, 20_000],
    ['attempts', { attempts: 1 }, 1],
    ['summaryTimeout', { summaryTimeout: 1 }, 1],
    ['hookTimeout', { hookTimeout: 1 }, 1],
    ['storeTimeout', { storeTimeout: 1 }, 1],
    ['breaker', { breaker: { pause: 2 } }, { failures: 3, pause: 2 }],
    ['summaryRole', { summaryRole: 'system' }, 'system'],
    ['prune', { prune }, prune],
    ['pruneAlone', { pruneAlone }, pruneAlone],
    ['cut', { cut }, cut],
    ['transcript', { transcript }, transcript],
    ['continuation', { continuation }, continuation],
    ['cold', { cold }, cold],
  ]

  it.each(changes)('changes %s alone, for all models or for one', (key, policy, value) => {
    const changed = { ...numbersOf(defaultPolicy), [key]: value }
    expect(numbersOf(policyOf(configured({ policy }), undefined))).toEqual(changed)
    const forOne = configured({ models: { 'my-': policy } })
    expect(numbersOf(policyOf(forOne, 'my-model'))).toEqual(changed)
    expect(numbersOf(policyOf(forOne, 'other'))).toEqual(numbersOf(defaultPolicy))
  })

  it('has every number of a policy among what can be changed', () => {
    const others = [
      'economy',
      'protectedTools',
      'template',
      'lenses',
      'models',
      'recallTool',
      'providerCompaction',
    ]
    const all = [...changes.map(([key]) => String(key)), ...others]
    expect(all.sort()).toEqual(Object.keys(defaultPolicy).sort())
  })

  it('tells the model of the tool that reads back', () => {
    expect(policyOf(configured({ recall: 'recall' }), undefined).recallTool).toBe('recall')
  })

  it('starts from the preset, and changes it', () => {
    const policy = policyOf(configured({ preset: 'seed', policy: { keep: 1 } }), undefined)
    expect(policy.cut).toBe(presets.seed.cut)
    expect(policy.keep(9)).toBe(1)
  })

  it('adds tools, lenses and plugins to what there is', () => {
    const lens = { tools: ['a'], read: () => [] }
    const pluginLens = { tools: ['b'], read: () => [] }
    const template = { sections: [{ heading: 'Deploys', guide: 'What was deployed.' }] }
    const configuration = configured({
      protectedTools: ['deploy'],
      lenses: [lens, { tool: 'c', reads: 'path' }],
      plugins: [
        { name: 'p', protectedTools: ['memo'], lenses: [pluginLens], continuation: () => null },
        { name: 'q', template: () => template },
      ],
    })
    const policy = policyOf(configuration, undefined)
    expect(policy.protectedTools).toEqual(['skill', 'deploy', 'memo'])
    expect(policy.lenses.map(({ tools }) => tools[0])).toEqual(['b', 'a', 'c'])
    expect(policy.lenses[1]).toBe(lens)
    expect(policy.continuation([])).toBeNull()
    expect(templateOf(configuration)).toBe(template)
  })
})

it('names the window of a model', () => {
  const configuration = configured({
    models: { a: { window: '64k' }, b: { window: { context: '400k', input: 272_000 } } },
  })
  expect(windowFor(configuration, 'a-1')?.value).toEqual({ context: 64_000 })
  expect(windowFor(configuration, 'b')?.value).toEqual({ context: 400_000, input: 272_000 })
  expect(windowFor(configuration, 'c')).toBeUndefined()
  expect(windowFor(configuration, undefined)).toBeUndefined()
})
