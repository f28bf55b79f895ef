import {
  cleanPath,
  isAbsolute,
  joinPath,
  relativeTo,
  isDevice,
  onPlatform,
  platformOf,
} from './clean-path.ts'
import { ownText } from '../own-text.ts'
import { moveRoot } from './move-root.ts'
import type { FactsState } from '../fold-memory.ts'

/**
 * How reliable a source is about the session's root. If two are equally reliable, the first one
 * wins.
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

/** Notes a working directory. The most reliable source so far decides which one is the root. */
export function learnDirectory(facts: FactsState, text: string, source: RootAuthority): void {
  if (source <= facts.memory.rootAuthority && facts.directories.includes(text)) return
  const path = absoluteDirectory(facts, text)
  if (path === undefined) return
  if (!facts.directories.includes(path) && facts.directories.length < MOST_DIRECTORIES) {
    facts.directories.push(ownText(path))
    facts.directories.sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
  }
  if (source <= facts.memory.rootAuthority || !canBeRoot(path, source)) return
  facts.memory.rootAuthority = source
  if (path !== facts.root) moveRoot(facts, path)
}

/**
 * The session's working directory is this one from now on. A relative one is meant from where the
 * session was, so it is resolved before anything is learned from it.
 */
export function enterDirectory(facts: FactsState, text: string, source: RootAuthority): void {
  const path = absoluteDirectory(facts, text)
  if (path === undefined) return
  learnDirectory(facts, path, source)
  facts.memory.current = path === facts.root ? '' : path
}

/**
 * How the facts spell a path: relative to the root, absolute outside it. `undefined` if the text
 * isn't a path to a file.
 */
export function spellPath(facts: FactsState, text: string, directory?: string): string | undefined {
  const clean = cleanPath(text)
  if (clean === undefined || clean === '.' || clean === '/') return undefined
  const platform = platformOf(facts)
  if (isDevice(platform, clean)) return undefined
  const path = onPlatform(platform, clean)
  if (isAbsolute(path)) return knownSpelling(facts, insideOf(facts.root, path))
  const base = baseOf(facts, directory)
  if (base === '') return path.startsWith('..') ? undefined : path
  return knownSpelling(facts, insideOf(facts.root, joinPath(base, path)))
}

/** On Windows, one file may be written in capitals and in small letters: the first spelling stays. */
function knownSpelling(facts: FactsState, path: string | undefined): string | undefined {
  if (path === undefined || platformOf(facts) !== 'windows') return path
  const { spellings } = facts.memory
  const key = path.toLowerCase()
  const known = spellings.get(key)
  const spelling = known ?? ownText(path)
  if (known === undefined) spellings.set(ownText(key), spelling)
  return spelling
}

function insideOf(root: string, path: string): string | undefined {
  const relative = relativeTo(root, path)
  return relative === '.' ? undefined : relative
}

/** Where a relative path begins: the call's own directory, the current one, or the root. */
function baseOf(facts: FactsState, directory: string | undefined): string {
  const standing = facts.memory.current || facts.root
  if (directory === undefined) return standing
  return absoluteDirectory(facts, directory) ?? standing
}

function absoluteDirectory(facts: FactsState, text: string): string | undefined {
  const written = cleanPath(text)
  if (written === undefined) return undefined
  const clean = onPlatform(platformOf(facts), written)
  if (isAbsolute(clean)) return clean.startsWith('~') ? undefined : clean
  const standing = facts.memory.current || facts.root
  return standing === '' ? undefined : joinPath(standing, clean)
}

/** A project is not in the root of a disk or among temporary files. */
function canBeRoot(path: string, source: RootAuthority): boolean {
  if (source === authority.options) return true
  if (path === '/' || path.endsWith(':')) return false
  return source > authority.output || !/^\/(tmp|var|private\/tmp|private\/var)(\/|$)/.test(path)
}

/** Harnesses name their directory near the beginning of what they add. */
const ENVIRONMENT = 20_000

/** Reads the directory in what a harness adds to the session. */
export function learnEnvironment(facts: FactsState, text: string): void {
  const start = text.slice(0, ENVIRONMENT)
  const found =
    /<cwd>([^<\n]{1,400})<\/cwd>/.exec(start) ??
    /(?:^|\n)\s*(?:Primary working directory|Working directory|Current working directory|cwd): ([^\n]{1,400})/.exec(
      start,
    )
  if (found?.[1] !== undefined) learnDirectory(facts, found[1], authority.environment)
}
