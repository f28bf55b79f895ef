import { existsSync, readFileSync, readdirSync, rmSync, rmdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { hashOf, withoutEntries } from './make-changes.ts'
import { replaceFile } from './replace-file.ts'
import { withoutJsonEntries } from './json-entries.ts'
import type { Leftover } from './client.ts'
import type { Step } from './ledger.ts'

/** What became of one thing that was installed. */
export interface TakenBack {
  path: string
  /**
   * `restored`: byte for byte as before. `removed`: there was none before. `withdrawn`: somebody
   * has edited it since; only what is ours went. `kept`: somebody has edited our file; a copy stays
   * beside it. `gone`: it was no longer there.
   */
  how: 'restored' | 'removed' | 'withdrawn' | 'kept' | 'gone'
}

/** Takes away one thing that was installed. */
export function takeBack(step: Step): TakenBack {
  const { path, what } = step
  if (!existsSync(path)) return { path, how: 'gone' }
  const how = what.type === 'folder' ? folderBack(step) : fileBack(step)
  removeEmpty(step.folders)
  return { path, how }
}

function folderBack({ path }: Step): TakenBack['how'] {
  rmSync(path, { recursive: true, force: true })
  return 'removed'
}

function fileBack({ path, what, hash, backup, exact }: Step): TakenBack['how'] {
  const current = readFileSync(path, 'utf8')
  if (exact && hashOf(current) === hash) {
    if (backup === undefined || !existsSync(backup)) {
      rmSync(path)
      return 'removed'
    }
    replaceFile(path, readFileSync(backup))
    return 'restored'
  }
  if (what.type !== 'entries') {
    replaceFile(`${path}.edited`, current)
    rmSync(path)
    return 'kept'
  }
  const left = withoutEntries(current, what.entries)
  if (backup === undefined && /^\s*(?:\{\s*\}\s*)?$/.test(left)) {
    rmSync(path)
    return 'removed'
  }
  replaceFile(path, left)
  return 'withdrawn'
}

/** Takes away what the client has written because of ours. */
export function clearLeftover(leftover: Leftover): void {
  const { path } = leftover
  if (!existsSync(path)) return
  if (leftover.type === 'folder') {
    rmSync(path, { recursive: true, force: true })
    const parent = dirname(path)
    if (readdirSync(parent).length === 0) rmdirSync(parent)
    return
  }
  const text = readFileSync(path, 'utf8')
  const left = withoutJsonEntries(text, [{ at: leftover.at, value: undefined }])
  if (left !== text) replaceFile(path, left)
}

/** Removes folders that were made for ours, where nothing else has come into them. */
export function removeEmpty(folders: readonly string[]): void {
  for (const folder of folders) {
    if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder)
  }
}
