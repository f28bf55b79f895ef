import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { changeClientSettings, clientSettings, clientSettingsFile } from './settings.ts'

const home = mkdtempSync(join(tmpdir(), 'throughline-settings-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))
const env = { HOME: home, XDG_DATA_HOME: home }
const usual = clientSettings('pi', {})

test('settings of a client are the usual ones until a file or a variable says otherwise', () => {
  expect(usual).toMatchObject({ off: false, local: false })
  expect(clientSettings('pi', env)).toEqual(usual)
  changeClientSettings('pi', env, { local: true })
  changeClientSettings('pi', env, { off: true })
  expect(clientSettings('pi', env)).toEqual({ ...usual, off: true, local: true })
  expect(clientSettings('opencode', env)).toEqual(usual)
  for (const text of ['{', '[]', '{"off":"yes","patience":"long"}']) {
    writeFileSync(clientSettingsFile('pi', env) ?? '', text)
    expect(clientSettings('pi', env)).toEqual(usual)
  }
  expect(clientSettings('pi', { ...env, THROUGHLINE_OFF: '1' }).off).toBe(true)
})
