import { checkConfig } from './check/check-config.ts'
import { fileAbove, fileIn } from './files/find-files.ts'
import { readConfigFile } from './files/read-file.ts'
import { foldersOf, pathForReader, pathFromHome, type Folders } from './folders.ts'
import { mergeSettings } from './merge-settings.ts'
import { noSettings, type Settings, type Source } from './setting.ts'
import type { ConfigFile } from './errors.ts'

/** The active configuration, and where it was looked for. */
export interface Configuration {
  settings: Settings
  /** The first one wins. */
  lookups: readonly Lookup[]
}

/** A place where a configuration file was looked for. */
export interface Lookup {
  /** The file that was asked for, the working directory and those above it, the user's folder. */
  where: 'asked' | 'upwards' | 'user'
  /** The file, or the directory if it has none. */
  place: string
  file: ConfigFile | undefined
}

export interface Surroundings {
  /** Where the search begins; by default the working directory. */
  cwd?: string
  env?: Environment
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads the configuration: the nearest `throughline.config.*` in a directory or above it, merged
 * over the one in the user's folder, key by key. `THROUGHLINE_STORE` overrides both. Code in these
 * files is executed.
 * @throws ConfigError if one of them can't be read or is invalid.
 */
export async function loadConfig(surroundings: Surroundings = {}): Promise<Configuration> {
  const { cwd, folders } = known(surroundings)
  const naming = { path: folders.path, shown: (path: string) => pathForReader(path, folders, cwd) }
  const near = folders.path.isAbsolute(cwd) ? await fileAbove(cwd, naming) : undefined
  const lookups: Lookup[] = [{ where: 'upwards', place: near?.shown ?? cwd, file: near }]
  if (folders.config !== undefined) {
    const user = await fileIn(folders.config, naming)
    const place = user?.shown ?? naming.shown(folders.config)
    if (!user || user.path !== near?.path) {
      lookups.push({ where: 'user', place, file: user })
    }
  }
  return configurationOf(lookups, surroundings)
}

/**
 * The same from the user's own folder only.
 * @throws ConfigError
 */
export async function loadOwnConfig(surroundings: Surroundings = {}): Promise<Configuration> {
  const { cwd, folders } = known(surroundings)
  const naming = { path: folders.path, shown: (path: string) => pathForReader(path, folders, cwd) }
  if (folders.config === undefined) return configurationOf([], surroundings)
  const file = await fileIn(folders.config, naming)
  const place = file?.shown ?? naming.shown(folders.config)
  return configurationOf([{ where: 'user', place, file }], surroundings)
}

/**
 * The same from this file only.
 * @throws ConfigError
 */
export async function loadConfigFile(
  path: string,
  surroundings: Surroundings = {},
): Promise<Configuration> {
  const { cwd, folders } = known(surroundings)
  const file = { path: pathFromHome(path, folders, cwd) ?? path, shown: path }
  return configurationOf([{ where: 'asked', place: path, file }], surroundings)
}

/** The same without any file. */
export async function loadNoConfig(surroundings: Surroundings = {}): Promise<Configuration> {
  return configurationOf([], surroundings)
}

async function configurationOf(
  lookups: readonly Lookup[],
  surroundings: Surroundings,
): Promise<Configuration> {
  const { cwd, env, folders } = known(surroundings)
  let settings = environmentSettings(env, folders, cwd)
  for (const { file } of lookups) {
    if (!file) continue
    settings = mergeSettings(settings, checkConfig(await readConfigFile(file), file, folders))
  }
  return { settings: mergeSettings(settings, defaultSettings(folders)), lookups }
}

const storeVariable = 'THROUGHLINE_STORE'

function environmentSettings(env: Environment, folders: Folders, cwd: string): Settings {
  const given = env[storeVariable]
  if (given === undefined || given === '') return noSettings
  const value = pathFromHome(given, folders, cwd) ?? given
  return storeSettings(value, given, { type: 'environment', name: storeVariable })
}

function defaultSettings({ path, data }: Folders): Settings {
  if (data === undefined) return noSettings
  return storeSettings(path.join(data, 'sessions.db'), undefined, { type: 'default' })
}

/** The store as set outside the files. */
export function storeSettings(value: string, given: unknown, from: Source): Settings {
  return { ...noSettings, whole: { store: { value, given, key: 'store', from } } }
}

function known({ cwd = process.cwd(), env = process.env }: Surroundings) {
  return { cwd, env, folders: foldersOf(env) }
}
