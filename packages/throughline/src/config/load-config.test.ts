import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { loadConfig, loadConfigFile, loadNoConfig } from './load-config.ts'
import type { Config } from './config.ts'

const root = mkdtempSync(join(tmpdir(), 'throughline-config-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let made = 0

/** A home with a project in it; files are named from the home. */
function newHome(files: Readonly<Record<string, Config | string>>) {
  const home = join(root, `home${made++}`)
  const cwd = join(home, 'code/app/src')
  mkdirSync(cwd, { recursive: true })
  for (const [name, content] of Object.entries(files)) {
    const path = join(home, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  }
  return { home, cwd, env: { HOME: home } }
}

const user = '.config/throughline/throughline.config.json'
const json = 'throughline.config.json'

describe('loadConfig', () => {
  it('takes the nearest file from the directory upwards, and no other above it', async () => {
    const home = newHome({
      [`code/${json}`]: { recall: 'far', store: 'x' },
      [`code/app/${json}`]: { recall: 'near' },
    })
    const { settings, lookups } = await loadConfig(home)
    expect(settings.whole.recall?.value).toBe('near')
    expect(settings.whole.store?.from.type).toBe('default')
    expect(lookups[0]?.file?.path).toBe(join(home.home, 'code/app', json))
  })

  it('lays it over the one in the folder of the user, key by key', async () => {
    const home = newHome({
      [`code/app/${json}`]: { policy: { keep: '8k' } },
      [user]: { policy: { keep: '9k', tail: '1k' }, store: '~/sessions.db' },
    })
    const { policy, whole } = (await loadConfig(home)).settings
    expect(policy.values.keep).toMatchObject({
      given: '8k',
      from: { file: { shown: `~/code/app/${json}` } },
    })
    expect(policy.values.tail).toMatchObject({
      given: '1k',
      from: { file: { shown: `~/${user}` } },
    })
    expect(whole.store?.value).toBe(join(home.home, 'sessions.db'))
  })

  it('lets the environment name the store over both', async () => {
    const home = newHome({
      [`code/app/${json}`]: { store: 'near.db' },
      [user]: { store: 'user.db' },
    })
    const storeWith = async (env: Record<string, string>) =>
      (await loadConfig({ ...home, env: { ...home.env, ...env } })).settings.whole.store
    expect(await storeWith({ THROUGHLINE_STORE: '../own.db' })).toMatchObject({
      value: join(home.home, 'code/app/own.db'),
      from: { type: 'environment', name: 'THROUGHLINE_STORE' },
    })
    expect((await storeWith({ THROUGHLINE_STORE: '' }))?.value).toBe(
      join(home.home, 'code/app/near.db'),
    )
  })

  it('has a store where nobody names one, if a home is known', async () => {
    const home = newHome({})
    const { settings, lookups } = await loadConfig(home)
    expect(settings.whole.store?.value).toBe(
      join(home.home, '.local/share/throughline/sessions.db'),
    )
    expect(lookups).toEqual([
      { where: 'upwards', place: home.cwd, file: undefined },
      { where: 'user', place: '~/.config/throughline', file: undefined },
    ])
    expect((await loadConfig({ ...home, env: {} })).settings.whole.store).toBeUndefined()
  })

  it('reads a file once that is found in both places', async () => {
    const home = newHome({ [user]: { recall: 'x' } })
    const { lookups } = await loadConfig({ ...home, cwd: join(home.home, '.config/throughline') })
    expect(lookups).toHaveLength(1)
  })

  it.each([
    ['throughline.config.mjs', 'export default { recall: "it" }'],
    ['throughline.config.js', 'export default { recall: "it" }'],
    ['throughline.config.ts', 'const recall: string = "it"\nexport default { recall }'],
    ['throughline.config.json', '\uFEFF{ "recall": "it" }'],
  ])('finds and reads %s', async (name, content) => {
    const { settings } = await loadConfig(newHome({ [`code/app/${name}`]: content }))
    expect(settings.whole.recall?.value).toBe('it')
  })

  it('does not choose between two beside each other', async () => {
    const home = newHome({ [`code/app/${json}`]: '{}', 'code/app/throughline.config.mjs': '' })
    await expect(loadConfig(home)).rejects.toThrow(
      'throughline.config.mjs: ~/code/app/throughline.config.json is in the same directory, and only one of them can be used. Keep one, or choose one with --config.',
    )
  })

  it('does not pass over a directory or a broken link of that name', async () => {
    const home = newHome({ [`code/app/${json}/file`]: '' })
    await expect(loadConfig(home)).rejects.toThrow(
      '~/code/app/throughline.config.json: this is a directory. Name a file, or rename the directory.',
    )
    const other = newHome({})
    symlinkSync('nowhere', join(other.cwd, json))
    await expect(loadConfig(other)).rejects.toThrow(
      'throughline.config.json: there is no such file, or it is a broken link.',
    )
  })
})

describe('loadConfigFile', () => {
  it('reads the file and no other, whatever its name', async () => {
    const home = newHome({
      'my.json': { recall: 'own' },
      [user]: { store: 'x' },
      [json]: { preset: 'seed' },
    })
    const { settings } = await loadConfigFile('~/my.json', home)
    expect(settings.whole).toMatchObject({
      recall: { value: 'own' },
      store: { from: { type: 'default' } },
    })
    expect(settings.whole.preset).toBeUndefined()
  })

  it.each([
    ['none.json', 'none.json: there is no such file'],
    ['.', '.: this is a directory.'],
    [
      'a.yaml',
      'a.yaml: its name ends in .yaml; a configuration is a .ts, .js, .mjs or .json file.',
    ],
    ['a', 'a: its name has no extension; a configuration is'],
    [
      'bad.json',
      'bad.json: line 1, column 2: expected a key in double quotes or "}", found the end of the file.',
    ],
  ])('says of %s: %s', async (name, message) => {
    const home = newHome({
      'code/app/src/a.yaml': '',
      'code/app/src/a': '',
      'code/app/src/bad.json': '{',
    })
    await expect(loadConfigFile(name, home)).rejects.toThrow(message)
  })
})

it('reads no file with loadNoConfig', async () => {
  const home = newHome({ [user]: { store: 'x', recall: 'x' } })
  const { settings, lookups } = await loadNoConfig(home)
  expect(settings.whole).toMatchObject({ store: { from: { type: 'default' } } })
  expect(settings.whole.recall).toBeUndefined()
  expect(lookups).toEqual([])
})
