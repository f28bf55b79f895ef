import { describe, expect, it } from 'vitest'
import { ConfigError } from '../errors.ts'
import { foldersOf } from '../folders.ts'
import { checkConfig } from './check-config.ts'

const file = { path: '/code/app/throughline.config.json', shown: 'throughline.config.json' }
const folders = foldersOf({ HOME: '/home/me' }, 'linux')
const check = (given: unknown) => checkConfig(given, file, folders)

const tokens = 'it must be tokens such as 8000 or "8k", or a percentage such as "40%".'
const circle: Record<string, unknown> = {}
circle['policy'] = circle

describe('checkConfig says in one line what is wrong, where, and what was expected', () => {
  it.each([
    [[], 'the configuration is []; it must be an object.'],
    [null, 'the configuration is null; it must be an object.'],
    [() => ({}), 'the configuration is a function; it must be an object.'],
    [
      { zzzzzz: 1 },
      'zzzzzz is not a known key; known keys are store, preset, protectedTools, lenses, plugins, recall, policy, models.',
    ],
    [{ polcy: {} }, 'polcy is not a known key; did you mean policy?'],
    [{ keep: '8k' }, 'keep is not a known key; did you mean policy.keep?'],
    [JSON.parse('{"__proto__": {}}'), '__proto__ is not a known key; known keys are store, '],
    [{ store: '' }, 'store is ""; it must be the path of a file.'],
    [{ store: 5 }, 'store is 5; it must be the path of a file.'],
    [{ preset: 'seeds' }, 'preset is "seeds"; it must be "default", "economic", or "seed".'],
    [
      { recall: 'look up' },
      'recall is "look up"; it must be a name of up to 64 letters, digits, _ and -.',
    ],
    [{ policy: 'small' }, 'policy is "small"; it must be an object.'],
    [
      { policy: { lowwater: 1 } },
      'policy.lowwater is not a known key; did you mean policy.lowWater?',
    ],
    [{ policy: { auto: 'yes' } }, 'policy.auto is "yes"; it must be true or false.'],
    [{ policy: { keep: '8q' } }, `policy.keep is "8q"; ${tokens}`],
    [{ policy: { keep: 0.4 } }, `policy.keep is 0.4; ${tokens}`],
    [{ policy: { keep: 0 } }, `policy.keep is 0; ${tokens}`],
    [{ policy: { keep: '101%' } }, `policy.keep is "101%"; ${tokens}`],
    [{ policy: { tail: -1 } }, `policy.tail is -1; ${tokens}`],
    [{ policy: { recent: Number.NaN } }, `policy.recent is NaN; ${tokens}`],
    [{ policy: { reserved: null } }, `policy.reserved is null; ${tokens}`],
    [{ policy: { threshold: circle } }, `policy.threshold is an object; ${tokens}`],
    [{ policy: { lowWater: 10n } }, `policy.lowWater is 10; ${tokens}`],
    [
      { policy: { tailTurns: 1.5 } },
      'policy.tailTurns is 1.5; it must be a whole number, 1 or more.',
    ],
    [{ policy: { attempts: -1 } }, 'policy.attempts is -1; it must be a whole number, 0 or more.'],
    [{ policy: { breaker: 3 } }, 'policy.breaker is 3; it must be an object.'],
    [
      { policy: { breaker: { failure: 3 } } },
      'policy.breaker.failure is not a known key; did you mean policy.breaker.failures?',
    ],
    [
      { policy: { summaryRole: 'assistant' } },
      'policy.summaryRole is "assistant"; it must be "user" or "system".',
    ],
    [
      { policy: { prune: 'all' } },
      'policy.prune is "all"; it must be a function, in a .ts, .js or .mjs file.',
    ],
    [{ protectedTools: 'skill' }, 'protectedTools is "skill"; it must be a list.'],
    [{ protectedTools: ['a', 5] }, 'protectedTools[1] is 5; it must be the name of a tool.'],
    // oxlint-disable-next-line no-sparse-arrays
    [{ protectedTools: [, 'a'] }, 'protectedTools[0] is missing; it must be the name of a tool.'],
    [{ models: ['x'] }, 'models is ["x"]; it must be an object whose keys are the beginnings of'],
    [{ models: { '': {} } }, 'models[""] is not a name; use the beginning of a model’s name.'],
    [{ models: { 'gpt-5.2': 5 } }, 'models["gpt-5.2"] is 5; it must be an object.'],
    [{ models: { gpt: { keep: 'x' } } }, `models.gpt.keep is "x"; ${tokens}`],
    [
      { models: { gpt: { window: '20%' } } },
      'models.gpt.window is "20%"; it must be tokens such as 200000 or "200k", or { context, input, output }.',
    ],
    [
      { models: { gpt: { window: { input: 5 } } } },
      'models.gpt.window.context is missing; it must be tokens such as 200000 or "200k".',
    ],
    [
      { models: { gpt: { window: { context: 5, ouput: 5 } } } },
      'models.gpt.window.ouput is not a known key; did you mean models.gpt.window.output?',
    ],
    [{ lenses: {} }, 'lenses is {}; it must be a list.'],
    [{ lenses: [{ writes: 'path' }] }, 'lenses[0].tool is missing; it must be the name of a tool.'],
    [
      { lenses: [{ tool: 'x' }] },
      'lenses[0] doesn’t say what the tool does; add one of reads, writes, edits, deletes, runs.',
    ],
    [
      { lenses: [{ tool: 'x', read: 'path' }] },
      'lenses[0].read is not a known key; did you mean lenses[0].reads?',
    ],
    [
      { lenses: [{ tool: 'x', reads: 5 }] },
      'lenses[0].reads is 5; it must be the name of the argument that holds it.',
    ],
    [{ lenses: [{ tools: 'x', read: () => [] }] }, 'lenses[0].tools is "x"; it must be a list.'],
    [{ lenses: [{ tools: ['x'] }] }, 'lenses[0].read is missing; it must be a function, in a .ts'],
    [
      { plugins: ['my-plugin'] },
      'plugins[0] is "my-plugin"; it must be the plugin itself, in a .ts, .js or .mjs file.',
    ],
    [{ plugins: [{}] }, 'plugins[0].name is missing; it must be the name of the plugin.'],
    [
      { plugins: [{ name: 'x', protectedTool: [] }] },
      'plugins[0].protectedTool is not a known key; did you mean plugins[0].protectedTools?',
    ],
    [
      { plugins: [{ name: 'x', template: 5 }] },
      'plugins[0].template is 5; it must be a function, in',
    ],
    [
      { plugins: [{ name: 'x', beforeCompact: 'no' }] },
      'plugins[0].beforeCompact is "no"; it must be a function, in a .ts, .js or .mjs file.',
    ],
    [
      { plugins: [{ name: 'x', afterSummary: {} }] },
      'plugins[0].afterSummary is {}; it must be a func',
    ],
    [
      { plugins: [{ name: 'x', onEvent: 1 }] },
      'plugins[0].onEvent is 1; it must be a function, in',
    ],
    [{ plugins: [{ name: 'x', sections: {} }] }, 'plugins[0].sections is {}; it must be a list.'],
    [
      { plugins: [{ name: 'x', sections: [{ heading: 'a\nb', guide: 'c' }] }] },
      'plugins[0].sections[0].heading is "a\\nb"; it must be a heading of one line.',
    ],
    [
      { plugins: [{ name: 'x', sections: [{ heading: 'Deploys' }] }] },
      'plugins[0].sections[0].guide is missing; it must be what belongs under it.',
    ],
    [
      { plugins: [{ name: 'x', section: [] }] },
      'plugins[0].section is not a known key; did you mean plugins[0].sections?',
    ],
  ])('%o', (given, message) => {
    expect(() => check(given)).toThrow(ConfigError)
    expect(() => check(given)).toThrow(`throughline.config.json: ${message}`)
  })

  it('names the file and the key in fields, too', () => {
    const error: unknown = (() => {
      try {
        return check({ models: { gpt: { keep: 'x' } } })
      } catch (thrown) {
        return thrown
      }
    })()
    expect(error).toMatchObject({ code: 'CONFIG', file: file.path, key: 'models.gpt.keep' })
  })

  it('cuts a value that would fill the line', () => {
    expect(() => check({ preset: 'x'.repeat(10_000) })).toThrow(/^.{1,150}$/)
  })

  it('needs a home where a path begins with ~', () => {
    const homeless = foldersOf({}, 'linux')
    expect(() => checkConfig({ store: '~/x' }, file, homeless)).toThrow(
      'store begins with ~, but the home directory is unknown; use the absolute path.',
    )
  })
})

describe('checkConfig', () => {
  it('takes an empty configuration, and what is undefined as not said', () => {
    const nothing = { whole: {}, policy: { values: {}, breaker: {} }, models: new Map() }
    expect(check({})).toEqual(nothing)
    expect(
      check({ store: undefined, policy: { keep: undefined }, models: { x: undefined } }),
    ).toEqual(nothing)
  })

  it.each([
    ['sessions.db', '/code/app/sessions.db'],
    ['../sessions.db', '/code/sessions.db'],
    ['~/sessions.db', '/home/me/sessions.db'],
    ['/var/sessions.db', '/var/sessions.db'],
  ])('reads the store %s from where the file stands', (store, path) => {
    expect(check({ store }).whole.store?.value).toBe(path)
  })

  it.each([
    [8000, 8000],
    ['8k', 8000],
    ['8_000', 8000],
    ['40%', 40_000],
    ['12.5 %', 12_500],
    [() => 7, 7],
  ])('reads the amount %s', (keep, found) => {
    expect(check({ policy: { keep } }).policy.values.keep?.value(100_000)).toBe(found)
  })

  it('takes a share of reserved of what a request may hold', () => {
    const { reserved } = check({ policy: { reserved: '10%' } }).policy.values
    expect(reserved?.value({ context: 400_000, input: 272_000 })).toBe(27_200)
  })

  it.each([
    [() => Number.NaN, 'returned NaN for 9; it must return a number of tokens.'],
    [() => -1, 'returned -1 for 9; it must return a number of tokens.'],
    [() => {}, 'returned nothing for 9; it must return a number of tokens.'],
    [
      () => {
        throw new Error('no')
      },
      'threw Error: no for 9.',
    ],
  ])('says of the amount %o when it is asked for what is wrong', (keep, message) => {
    const { value } = check({ policy: { keep } }).policy.values.keep ?? {}
    expect(() => value?.(9)).toThrow(`throughline.config.json: policy.keep ${message}`)
  })
})
