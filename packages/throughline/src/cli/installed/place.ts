import { existsSync, realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { CommandError } from '../errors.ts'
import { foldersOf } from '../../config/folders.ts'
import { surroundingsOf } from '../../harnesses/find-program.ts'
import type { posix } from 'node:path'
import type { Surroundings } from '../../formats/writing/harness.ts'

/** Where clients are installed into, and what is installed from. */
export interface Place {
  env: Readonly<Record<string, string | undefined>>
  platform: NodeJS.Platform
  path: typeof posix
  home: string
  surroundings: Surroundings
  /** Our folder below the user's data: the ledger, backups, and what clients run of ours. */
  folder: string
  /** The folder of this package: what clients run is copied from it. */
  package: string
  /** The Node that clients start what is ours with. */
  node: string
}

/** @throws CommandError if the environment names no home directory. */
export function placeOf(env: Place['env'], platform: NodeJS.Platform = process.platform): Place {
  const { path, home, data } = foldersOf(env, platform)
  if (home === undefined || data === undefined) {
    const variable = platform === 'win32' ? 'USERPROFILE and LOCALAPPDATA are' : 'HOME is'
    throw new CommandError(
      `it is not known where clients keep their settings: ${variable} not set.`,
    )
  }
  const surroundings = surroundingsOf(env, platform)
  const folder = path.join(data, 'clients')
  return {
    env,
    platform,
    path,
    home,
    surroundings,
    folder,
    package: packageFolder(),
    node: nodeFor(env, path),
  }
}

/** The folder that holds `dist`: above this file in the source and in what is built of it. */
export function packageFolder(): string {
  const above = ['../', '../../', '../../../', '../../../../']
  const folders = above.map((up) => fileURLToPath(new URL(up, import.meta.url)))
  return folders.find((folder) => existsSync(`${folder}bin/throughline.js`)) ?? folders.at(-1) ?? ''
}

/**
 * This Node by the name that survives its update, where one on the PATH leads to it: a package
 * manager keeps each version in a folder of its own, and removes the old one.
 */
function nodeFor(env: Place['env'], path: typeof posix): string {
  const folders = (env['PATH'] ?? env['Path'] ?? '').split(path.delimiter)
  const name = path.sep === '\\' ? 'node.exe' : 'node'
  const candidates = folders
    .filter((each) => path.isAbsolute(each))
    .map((each) => path.join(each, name))
  return candidates.find(leadsHere) ?? process.execPath
}

function leadsHere(file: string): boolean {
  try {
    return !file.includes('node_modules') && realpathSync(file) === realpathSync(process.execPath)
  } catch {
    return false
  }
}

/** A command line for the shell in which a client runs its hooks. */
export function shellLine({ platform }: Pick<Place, 'platform'>, words: readonly string[]): string {
  return words.map((word) => (platform === 'win32' ? inWindows(word) : inShell(word))).join(' ')
}

function inShell(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

// Bash, cmd and PowerShell read a path with slashes in double quotes alike.
function inWindows(word: string): string {
  const path = word.replaceAll('\\', '/')
  return /^[\w@+=:,./-]+$/.test(path) ? path : `"${path}"`
}
