import { ThroughlineError } from '../../log/throughline-error.ts'

/** A client's configuration cannot be changed. Nothing was written. */
export class ConfigurationEditError extends ThroughlineError<'CONFIGURATION_EDIT'> {
  static override readonly code = 'CONFIGURATION_EDIT'

  constructor(problem: string, options?: ErrorOptions) {
    super(ConfigurationEditError.code, problem, options)
  }
}

/** One thing that an installation writes. Paths are absolute. */
export type Change = FileChange | FolderChange | EntriesChange

export interface FileChange {
  type: 'file'
  path: string
  content: string
}

/** The folder in a copied one where Node keeps what it compiled: no part of what was copied. */
export const compileCache = '.compiled'

interface FolderChange {
  type: 'folder'
  path: string
  from: string
}

/** Entries in a configuration file of the user, whose comments and order stay as they are. */
interface EntriesChange {
  type: 'entries'
  path: string
  entries: Entries
}

export type Entries =
  | { syntax: 'json' | 'json5'; entries: readonly JsonEntry[] }
  | { syntax: 'toml'; blocks: TomlBlocks }

/** A value at a path of keys. With `mark`, an item of the list there: the one that holds the mark. */
export interface JsonEntry {
  at: readonly string[]
  value: unknown
  mark?: string
}

/** Lines for the two places where TOML takes new ones: before its first table, and at its end. */
export interface TomlBlocks {
  top?: readonly string[]
  end?: readonly string[]
}
