import { cleanPath, isAbsolute, joinPath, relativeTo } from './clean-path.ts'
import { moveRoot } from './move-root.ts'
import type { IndexState } from '../fold-memory.ts'

/**
 * How far a source is to be believed about where the session has its root. Of two that
 * are as good, the first one stands.
 */
export const authority = {
  guess: 1,
  change: 1,
  output: 2,
  argument: 3,
  environment: 4,
  options: 5,
} as const
export type RootAuthority = (typeof authority)[keyof typeof authority]

/** A session works in few directories; more are noise. */
const MOST_DIRECTORIES = 64

/** Notes a working directory. The best source so far decides which one is the root. */
export function learnDirectory(index: IndexState, text: string, source: RootAuthority): void {
  if (source <= index.memory.rootAuthority && index.directories.includes(text)) return
  const path = absoluteDirectory(index, text)
  if (path === undefined) return
  if (!index.directories.includes(path) && index.directories.length < MOST_DIRECTORIES) {
    index.directories.push(path)
    index.directories.sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
  }
  if (source <= index.memory.rootAuthority || !canBeRoot(path, source)) return
  index.memory.rootAuthority = source
  if (path !== index.root) moveRoot(index, path)
}

/** The session stands in this directory from now on. */
export function enterDirectory(index: IndexState, text: string): void {
  const path = absoluteDirectory(index, text)
  if (path !== undefined) index.memory.current = path === index.root ? '' : path
}

/**
 * The index's spelling of a path: relative to the root, absolute outside of it.
 * `undefined` of a text that is no path to a file.
 */
export function spellPath(index: IndexState, text: string, directory?: string): string | undefined {
  const clean = cleanPath(text)
  if (clean === undefined || clean === '.' || clean === '/') return undefined
  if (isAbsolute(clean)) return insideOf(index.root, clean)
  const base = baseOf(index, directory)
  if (base === '') return clean.startsWith('..') ? undefined : clean
  return insideOf(index.root, joinPath(base, clean))
}

function insideOf(root: string, path: string): string | undefined {
  const relative = relativeTo(root, path)
  return relative === '.' ? undefined : relative
}

/** Where a relative path begins: the call's own directory, the current one, the root. */
function baseOf(index: IndexState, directory: string | undefined): string {
  const standing = index.memory.current || index.root
  if (directory === undefined) return standing
  return absoluteDirectory(index, directory) ?? standing
}

function absoluteDirectory(index: IndexState, text: string): string | undefined {
  const clean = cleanPath(text)
  if (clean === undefined) return undefined
  if (isAbsolute(clean)) return clean.startsWith('~') ? undefined : clean
  const standing = index.memory.current || index.root
  return standing === '' ? undefined : joinPath(standing, clean)
}

/** Nobody keeps a project in the root of a disk or among temporary files. */
function canBeRoot(path: string, source: RootAuthority): boolean {
  if (source === authority.options) return true
  if (path === '/' || path.endsWith(':')) return false
  return source > authority.output || !/^\/(tmp|var|private\/tmp|private\/var)(\/|$)/.test(path)
}
