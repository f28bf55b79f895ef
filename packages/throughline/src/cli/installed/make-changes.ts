import { createHash } from 'node:crypto'
import { cpSync, existsSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { CommandError } from '../errors.ts'
import { compileCache, ConfigurationEditError, type Change, type Entries } from './change.ts'
import { withJsonEntries, withoutJsonEntries } from './json-entries.ts'
import { missingFolders, replaceFile } from './replace-file.ts'
import { withTomlBlocks, withoutTomlBlocks } from './toml-blocks.ts'
import type { Step } from './ledger.ts'
import type { Place } from './place.ts'

export interface Prepared {
  change: Change
  /** Whether something has to be written. */
  writes: boolean
  /** The whole new content of a file. */
  content?: string
  step: Step
}

/**
 * Looks at the disk and says what each change would write, without writing.
 * @throws CommandError that names the file that cannot be changed.
 */
export function prepareChanges(
  changes: readonly Change[],
  before: readonly Step[],
  place: Pick<Place, 'folder' | 'path'>,
): Prepared[] {
  return changes.map((change) => {
    const earlier = before.find(({ path }) => path === change.path)
    return change.type === 'folder'
      ? preparedFolder(change, earlier)
      : preparedFile(change, earlier, place)
  })
}

function preparedFolder(change: Change & { type: 'folder' }, earlier: Step | undefined): Prepared {
  const hash = hashOfFolder(change.from)
  const writes = !existsSync(change.path) || hashOfFolder(change.path) !== hash
  const folders = earlier?.folders ?? missingFolders(dirname(change.path))
  return {
    change,
    writes,
    step: { path: change.path, what: { type: 'folder' }, hash, exact: true, folders },
  }
}

function preparedFile(
  change: Exclude<Change, { type: 'folder' }>,
  earlier: Step | undefined,
  { folder, path }: Pick<Place, 'folder' | 'path'>,
): Prepared {
  const { path: file } = change
  const current = existsSync(file) ? readFileSync(file, 'utf8') : undefined
  const content =
    change.type === 'file' ? change.content : entered(current ?? '', change.entries, file)
  const isOurs = earlier && current !== undefined && hashOf(current) === earlier.hash
  const backup = isOurs
    ? earlier.backup
    : (earlier?.backup ??
      (current === undefined
        ? undefined
        : path.join(folder, 'backups', `${hashOf(file).slice(0, 8)}-${path.basename(file)}`)))
  return {
    change,
    writes: current !== content,
    content,
    step: {
      path: file,
      what:
        change.type === 'file' ? { type: 'file' } : { type: 'entries', entries: change.entries },
      hash: hashOf(content),
      ...(backup !== undefined && { backup }),
      // Edited since the last installation: what was before is no longer all that is the user's.
      exact: earlier === undefined ? true : isOurs === true && earlier.exact,
      folders: earlier?.folders ?? missingFolders(dirname(file)),
    },
  }
}

function entered(text: string, entries: Entries, file: string): string {
  try {
    return entries.syntax === 'toml'
      ? withTomlBlocks(text, entries.blocks)
      : withJsonEntries(text, entries.entries)
  } catch (error) {
    if (!(error instanceof ConfigurationEditError)) throw error
    throw new CommandError(`${file} was not changed: ${error.message}.`, { cause: error })
  }
}

/** Keeps what is there in a backup, once; the ledger has to be written before the changes. */
export function keepBackups(prepared: readonly Prepared[]): void {
  for (const { step } of prepared) {
    if (step.backup === undefined || existsSync(step.backup)) continue
    replaceFile(step.backup, readFileSync(step.path))
  }
}

export function makeChange({ change, content, writes }: Prepared): void {
  if (!writes) return
  if (change.type !== 'folder') return replaceFile(change.path, content ?? '')
  const beside = `${change.path}.new`
  rmSync(beside, { recursive: true, force: true })
  cpSync(change.from, beside, { recursive: true, filter: isCopied })
  rmSync(change.path, { recursive: true, force: true })
  renameSync(beside, change.path)
}

export function withoutEntries(text: string, entries: Entries): string {
  if (entries.syntax === 'toml') return withoutTomlBlocks(text)
  return withoutJsonEntries(text, entries.entries)
}

/** Whether each of our entries still stands there. What is in a group of settings may be set by the user. */
export function holdsEntries(text: string, entries: Entries): boolean {
  if (entries.syntax === 'toml') return withoutTomlBlocks(text) !== text
  return entries.entries.every((entry) => {
    const only = { ...entries, entries: [entry] }
    const isGroup = typeof entry.value === 'object'
    return isGroup ? withoutEntries(text, only) !== text : entered(text, only, '') === text
  })
}

export function hashOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

/** The names and contents of all files that are copied with a folder. */
function hashOfFolder(folder: string): string {
  const hash = createHash('sha256')
  for (const file of filesBelow(folder)) {
    hash.update(`${relative(folder, file).replaceAll('\\', '/')}\0`).update(readFileSync(file))
  }
  return hash.digest('hex')
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (!isCopied(path)) return []
      return entry.isDirectory() ? filesBelow(path) : [path]
    })
}

/** Source maps and types are for whoever develops with the package. */
function isCopied(path: string): boolean {
  return !/\.map$|\.d\.ts$|[\\/]node_modules$/.test(path) && basename(path) !== compileCache
}
