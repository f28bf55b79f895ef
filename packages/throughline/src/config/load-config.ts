import { checkConfig } from './check/check-config.ts'
import { ConfigError, type ConfigFile } from './errors.ts'
import { fieldsOf } from '../json/fields.ts'
import { ownFile, projectFiles, type Ignored, type Search } from './files/find-files.ts'
import { readConfigFile } from './files/read-file.ts'
import { foldersOf, pathForReader, pathFromHome, type Folders } from './folders.ts'
import {
  noSettings,
  type Settings,
  type Source,
  type ModelSettings,
  type PolicySettings,
} from './setting.ts'

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
  /** A file that is there and not read, because anybody may have written it. */
  ignored?: { file: ConfigFile; why: Ignored }
}

/** Where configuration is looked for. */
export interface Surroundings {
  /** Where the search begins; by default the working directory. */
  cwd?: string
  env?: Environment
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads the configuration: the project's `throughline.config.json`, merged over the file in the
 * user's own folder, key by key. `THROUGHLINE_STORE` overrides both. A project's file is plain data
 * and names neither store nor plugins; it is looked for in a directory and above it, up to the root
 * of the repository or the user's home. Code in the user's own folder is executed.
 * @throws ConfigError if one of them can't be read or is invalid.
 */
export async function loadConfig(surroundings: Surroundings = {}): Promise<Configuration> {
  const { cwd, folders } = known(surroundings)
  const search = searchFor(surroundings)
  const { read, ignored } = folders.path.isAbsolute(cwd)
    ? await projectFiles(cwd, search)
    : { read: undefined, ignored: undefined }
  const near: Lookup = {
    where: 'upwards',
    place: read?.shown ?? cwd,
    file: read,
    ...(ignored && { ignored }),
  }
  const own = await ownLookup(surroundings)
  // In the user's own folder, both are the same.
  const isOwn = own?.file !== undefined && own.file.path === (read ?? ignored?.file)?.path
  return configurationOf([...(isOwn ? [] : [near]), ...(own ? [own] : [])], surroundings)
}

/**
 * The same from the user's own folder only.
 * @throws ConfigError
 */
export async function loadOwnConfig(surroundings: Surroundings = {}): Promise<Configuration> {
  const own = await ownLookup(surroundings)
  return configurationOf(own ? [own] : [], surroundings)
}

async function ownLookup(surroundings: Surroundings): Promise<Lookup | undefined> {
  const { folders } = known(surroundings)
  if (folders.config === undefined) return undefined
  const search = searchFor(surroundings)
  const file = await ownFile(folders.config, search)
  return { where: 'user', place: file?.shown ?? search.shown(folders.config), file }
}

function searchFor(surroundings: Surroundings): Search {
  const { cwd, folders } = known(surroundings)
  return {
    path: folders.path,
    home: folders.home,
    shown: (path) => pathForReader(path, folders, cwd),
    user: process.getuid?.(),
  }
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
  found: readonly Lookup[],
  surroundings: Surroundings,
): Promise<Configuration> {
  const { cwd, env, folders } = known(surroundings)
  let settings = environmentSettings(env, folders, cwd)
  for (const { file, where } of found) {
    if (!file) continue
    const content = await readConfigFile(file)
    if (where === 'upwards') checkData(content, file)
    settings = mergeSettings(settings, checkConfig(content, file, folders))
  }
  return { settings: mergeSettings(settings, defaultSettings(folders)), lookups: found }
}

/** Where sessions are kept, and what runs, is the user's to say. */
const notForProjects = ['store', 'plugins']

function checkData(content: unknown, file: ConfigFile): void {
  for (const key of notForProjects) {
    if (fieldsOf(content)?.[key] === undefined) continue
    throw new ConfigError(
      `${key} can't be set by a project. Set it in your own configuration. To do without this file: --no-config.`,
      { file, key },
    )
  }
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

/** Merges both, key by key; if both set a key, the first wins. */
export function mergeSettings(first: Settings, second: Settings): Settings {
  const models = new Map(second.models)
  for (const [beginning, own] of first.models) {
    const other = models.get(beginning)
    models.set(beginning, other ? mergeModel(own, other) : own)
  }
  return {
    whole: { ...second.whole, ...first.whole },
    policy: mergePolicy(first.policy, second.policy),
    models,
  }
}

/** The settings for one model: the general ones, overridden by those for beginnings of its name. */
export function settingsFor(settings: Settings, model: string | undefined): ModelSettings {
  return [...settings.models]
    .filter(([beginning]) => model?.startsWith(beginning))
    .sort(([a], [b]) => a.length - b.length)
    .reduce<ModelSettings>((general, [, own]) => mergeModel(own, general), settings.policy)
}

function mergeModel(first: ModelSettings, second: ModelSettings): ModelSettings {
  const window = first.window ?? second.window
  return { ...mergePolicy(first, second), ...(window && { window }) }
}

function mergePolicy(first: PolicySettings, second: PolicySettings): PolicySettings {
  return {
    values: { ...second.values, ...first.values },
    breaker: { ...second.breaker, ...first.breaker },
  }
}
