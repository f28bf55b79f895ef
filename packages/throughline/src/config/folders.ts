import { posix, win32 } from 'node:path'

/** The user's folders, according to the environment. */
export interface Folders {
  path: typeof posix
  home: string | undefined
  /** The folder of the user's own configuration. */
  config: string | undefined
  /** The folder for data that programs keep for the user. */
  data: string | undefined
}

const own = 'throughline'

/**
 * The user's folders, from `XDG_CONFIG_HOME`, `XDG_DATA_HOME` and `HOME`, or on Windows from
 * `APPDATA`, `LOCALAPPDATA` and `USERPROFILE`. Nothing is guessed if no variable names it. On
 * macOS, data is where that system's programs keep it.
 */
export function foldersOf(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): Folders {
  const path = platform === 'win32' ? win32 : posix
  const folder = (name: string): string | undefined => {
    const value = env[name]
    // A relative path would mean a different folder in every directory.
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

/** Resolves a path as people write it; `undefined` for `~` if the home directory is unknown. */
export function pathFromHome(
  written: string,
  { path, home }: Folders,
  directory: string,
): string | undefined {
  if (path.isAbsolute(written)) return written
  if (!/^~(?:[\\/]|$)/.test(written)) return path.join(directory, written)
  return home === undefined ? undefined : path.join(home, written.slice(1))
}

/** A path for display: relative to the working directory, relative to home, or absolute. */
export function pathForReader(whole: string, { path, home }: Folders, directory: string): string {
  // From the root directory, everything would look near.
  const isBelowRoot = path.isAbsolute(directory) && path.dirname(directory) !== directory
  const near = isBelowRoot ? path.relative(directory, whole) : ''
  if (near !== '' && !near.startsWith('..') && !path.isAbsolute(near)) return near
  const below = home === undefined ? whole : path.relative(home, whole)
  return below.startsWith('..') || path.isAbsolute(below) ? whole : path.join('~', below)
}
