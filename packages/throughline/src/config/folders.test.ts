import { describe, expect, it } from 'vitest'
import { foldersOf, pathForReader, pathFromHome } from './folders.ts'

describe('foldersOf', () => {
  it('is below the home, or where XDG says', () => {
    expect(foldersOf({ HOME: '/home/me' }, 'darwin')).toMatchObject({
      home: '/home/me',
      config: '/home/me/.config/throughline',
      data: '/home/me/Library/Application Support/throughline',
    })
    expect(foldersOf({ HOME: '/home/me' }, 'linux').data).toBe('/home/me/.local/share/throughline')
    const env = { HOME: '/home/me', XDG_CONFIG_HOME: '/etc/me', XDG_DATA_HOME: '/var/me' }
    for (const platform of ['linux', 'darwin'] as const) {
      expect(foldersOf(env, platform)).toMatchObject({
        config: '/etc/me/throughline',
        data: '/var/me/throughline',
      })
    }
  })

  it('is in the folders for applications on Windows', () => {
    const env = {
      USERPROFILE: 'C:\\Users\\me',
      APPDATA: 'C:\\Users\\me\\Roaming',
      LOCALAPPDATA: 'C:\\Users\\me\\Local',
    }
    expect(foldersOf(env, 'win32')).toMatchObject({
      home: 'C:\\Users\\me',
      config: 'C:\\Users\\me\\Roaming\\throughline',
      data: 'C:\\Users\\me\\Local\\throughline',
    })
  })

  it('guesses nothing that no variable says, and believes no relative path', () => {
    const nothing = { home: undefined, config: undefined, data: undefined }
    expect(foldersOf({}, 'linux')).toMatchObject(nothing)
    expect(foldersOf({ HOME: '', XDG_CONFIG_HOME: 'config' }, 'linux')).toMatchObject(nothing)
  })
})

const folders = foldersOf({ HOME: '/home/me' }, 'linux')

it.each([
  ['a', '/code/a'],
  ['../a', '/a'],
  ['/a', '/a'],
  ['~', '/home/me'],
  ['~/a', '/home/me/a'],
  ['~a', '/code/~a'],
])('takes the path %s, as people write it, for %s', (written, path) => {
  expect(pathFromHome(written, folders, '/code')).toBe(path)
})

it.each([
  ['/code/a/b', 'a/b'],
  ['/code', '/code'],
  ['/home/me/a', '~/a'],
  ['/home/meow', '/home/meow'],
  ['/code/..a', '/code/..a'],
])('shows the path %s as %s', (path, shown) => {
  expect(pathForReader(path, folders, '/code')).toBe(shown)
})

it('shows no path as if it were near from the root', () => {
  expect(pathForReader('/var/a', folders, '/')).toBe('/var/a')
  expect(pathForReader('/home/me/a', folders, '/')).toBe('~/a')
})
