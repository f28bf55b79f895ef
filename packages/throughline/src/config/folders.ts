import { posix, win32, type PlatformPath } from 'node:path'

/** Where a user keeps things, as the environment says. */
export interface Folders {
  /** The rules for paths on this system. */
  path: PlatformPath
  home: string | undefined
  /** Where the user's own configuration is. */
  config: string | undefined
  /** Where what programs keep for the user is. */
  data: string | undefined
}

const own = 'throughline'

/**
 * The folders of the user: by `XDG_CONFIG_HOME`, `XDG_DATA_HOME` and `HOME`, or on Windows by
 * `APPDATA`, `LOCALAPPDATA` and `USERPROFILE`. What no variable names is not guessed. On macOS
 * data is where programs of that system keep it.
 */
export function foldersOf(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): Folders {
  const path = platform === 'win32' ? win32 : posix
  const folder = (name: string): string | undefined => {
    const value = env[name]
    // A relative one would be another with every directory.
    return value !== undefined && path.isAbsolute(value) ? value : undefined
  }
  const below = (directory: string | undefined, ...names: string[]): string | undefined =>
    directory === undefined ? undefined : path.join(directory, ...names)
  if (platform === 'win32') {
    return {
      path,
      home: folder('USERPROFILE'),
      config: below(folder('APPDATA'), own),
      data: below(folder('LOCALAPPDATA'), own),
    }
  }
  const home = folder('HOME')
  const usual = platform === 'darwin' ? ['Library', 'Application Support'] : ['.local', 'share']
  return {
    path,
    home,
    config: below(folder('XDG_CONFIG_HOME') ?? below(home, '.config'), own),
    data: below(folder('XDG_DATA_HOME') ?? below(home, ...usual), own),
  }
}

/** A path as people write it, from a directory; `undefined` for `~` where no home is known. */
export function pathFromHome(
  written: string,
  { path, home }: Folders,
  directory: string,
): string | undefined {
  if (path.isAbsolute(written)) return written
  if (!/^~(?:[\\/]|$)/.test(written)) return path.join(directory, written)
  return home === undefined ? undefined : path.join(home, written.slice(1))
}

/** A path as people read it: from where they stand, from their home, or whole. */
export function pathForReader(whole: string, { path, home }: Folders, directory: string): string {
  // From the root everything would be near.
  const stands = path.isAbsolute(directory) && path.dirname(directory) !== directory
  const near = stands ? path.relative(directory, whole) : ''
  if (near !== '' && !near.startsWith('..') && !path.isAbsolute(near)) return near
  const below = home === undefined ? whole : path.relative(home, whole)
  return below.startsWith('..') || path.isAbsolute(below) ? whole : path.join('~', below)
}
