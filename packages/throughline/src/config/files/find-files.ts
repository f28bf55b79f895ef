import { lstat, realpath, stat } from 'node:fs/promises'
import { ConfigError, type ConfigFile } from '../errors.ts'
import type { Folders } from '../folders.ts'
import type { Stats } from 'node:fs'

const dataName = 'throughline.config.json'

const configNames = [
  'throughline.config.ts',
  'throughline.config.js',
  'throughline.config.mjs',
  dataName,
] as const

/** How to resolve and display the path of a file, and whose files count. */
export interface Search {
  path: Folders['path']
  home: string | undefined
  shown: (path: string) => string
  /** The user of this process; `undefined` where files have no owners. */
  user: number | undefined
}

/** Why a file of a project is not read. */
export type Ignored = 'code' | 'owner' | 'link'

/** What a directory of a project has. */
export interface ProjectFiles {
  read: ConfigFile | undefined
  ignored: { file: ConfigFile; why: Ignored } | undefined
}

/**
 * The files of the project around a directory: in it, or in the nearest directory above it that has
 * some, up to the root of the repository or else to the user's home, and not across a change of
 * owners. Anybody may have written them: only plain data of this user is read.
 */
export async function projectFiles(directory: string, search: Search): Promise<ProjectFiles> {
  const { path } = search
  for (const at of await directoriesOf(directory, search)) {
    const found: ProjectFiles[] = []
    for (const name of configNames) {
      const files = await projectFile(path.join(at, name), search)
      if (files) found.push(files)
    }
    const [read] = found.flatMap((files) => files.read ?? [])
    const ignored = found.find((files) => files.ignored)?.ignored
    if (read || ignored) return { read, ignored }
  }
  return { read: undefined, ignored: undefined }
}

/** The directories of a project that are searched, the nearest first. */
async function directoriesOf(directory: string, search: Search): Promise<string[]> {
  const { path, home, user } = search
  const owner = await ownerOf(directory)
  const all: string[] = []
  for (let at = directory; ; at = path.dirname(at)) {
    if (user !== undefined && (await ownerOf(at)) !== owner) break
    all.push(at)
    if (at === home || (await exists(path.join(at, '.git')))) return all
    if (path.dirname(at) === at) break
  }
  // Neither a repository nor below the user's home.
  return [directory]
}

async function projectFile(path: string, search: Search): Promise<ProjectFiles | undefined> {
  const found = await lstat(path).catch(() => undefined)
  if (!found) return undefined
  const file = { path, shown: search.shown(path) }
  const why = await refusal(path, found, search)
  return why === undefined
    ? { read: file, ignored: undefined }
    : { read: undefined, ignored: { file, why } }
}

async function refusal(
  path: string,
  found: Stats,
  { user, path: paths }: Search,
): Promise<Ignored | undefined> {
  if (user !== undefined && found.uid !== user) return 'owner'
  if (paths.basename(path) !== dataName) return 'code'
  if (!found.isSymbolicLink()) return undefined
  // A link out of its directory shows a stranger's choice of the user's files in error messages.
  const real = await realpath(path).catch(() => undefined)
  const folder = await realpath(paths.dirname(path))
  return real === undefined || paths.dirname(real) === folder ? undefined : 'link'
}

/**
 * The user's own configuration in a directory.
 * @throws ConfigError if there are two, or it is code of another user.
 */
export async function ownFile(
  directory: string,
  { path, shown, user }: Search,
): Promise<ConfigFile | undefined> {
  const paths = configNames.map((name) => path.join(directory, name))
  const there = await Promise.all(paths.map(exists))
  const [first, second] = paths
    .filter((_, index) => there[index])
    .map((found) => ({ path: found, shown: shown(found) }))
  if (first && second) throw twoOf(first, second)
  if (!first || user === undefined || path.basename(first.path) === dataName) return first
  const owner = await ownerOf(first.path)
  if (owner === undefined || owner === user || owner === 0) return first
  throw new ConfigError(
    `this is code of another user (${owner}) and was not run. Make it your own, or name it with --config.`,
    { file: first },
  )
}

function twoOf(first: ConfigFile, second: ConfigFile): ConfigError {
  return new ConfigError(
    `${second.shown} is in the same directory, and only one of them can be used. Keep one, or choose one with --config.`,
    { file: first },
  )
}

async function ownerOf(path: string): Promise<number | undefined> {
  return stat(path).then(
    ({ uid }) => uid,
    () => undefined,
  )
}

/** A broken link also counts: it must be reported, not ignored. */
async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}
