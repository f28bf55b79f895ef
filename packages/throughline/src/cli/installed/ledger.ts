import { existsSync, readFileSync } from 'node:fs'
import { CommandError } from '../errors.ts'
import { missingFolders, replaceFile } from './replace-file.ts'
import type { Entries } from './change.ts'
import type { Leftover } from './client.ts'
import type { Place } from './place.ts'

/** What is installed, as it was written: enough to take it away to the byte. */
export interface Ledger {
  version: 1
  clients: Record<string, Installed>
  /** The folders around it that did not exist before it, the deepest first. */
  folders: readonly string[]
}

export interface Installed {
  /** The version of this package. */
  version: string
  /** Milliseconds since 1970. */
  at: number
  local: boolean
  steps: readonly Step[]
  leftovers: readonly Leftover[]
}

/** One file or folder that was written. */
export interface Step {
  path: string
  what: { type: 'file' } | { type: 'folder' } | { type: 'entries'; entries: Entries }
  /** The hash of what we wrote; whoever finds another knows that somebody has edited it. */
  hash: string
  /** The file as it was before, if there was one: a copy. */
  backup?: string
  /** Whether the backup, or having no file, is still the truth but for what is ours. */
  exact: boolean
  /** Folders that did not exist before, the deepest first. */
  folders: readonly string[]
}

function ledgerFile({ path, folder }: Pick<Place, 'path' | 'folder'>): string {
  return path.join(folder, 'installed.json')
}

/** @throws CommandError if it can't be read. */
export function readLedger(place: Pick<Place, 'path' | 'folder'>): Ledger {
  const file = ledgerFile(place)
  if (!existsSync(file)) {
    return { version: 1, clients: {}, folders: missingFolders(place.folder) }
  }
  try {
    const found = JSON.parse(readFileSync(file, 'utf8')) as Ledger
    if (found.version === 1) return found
  } catch (cause) {
    throw new CommandError(`${file} cannot be read (${String((cause as Error).message)}).`, {
      cause,
    })
  }
  throw new CommandError(`${file} was written by a newer Throughline: update this one first.`)
}

export function writeLedger(place: Pick<Place, 'path' | 'folder'>, ledger: Ledger): void {
  replaceFile(ledgerFile(place), `${JSON.stringify(ledger, null, 2)}\n`)
}
