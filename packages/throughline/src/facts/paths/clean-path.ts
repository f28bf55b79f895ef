import type { FactsState } from '../fold-memory.ts'

/** How the machine of a session spells an absolute path. */
export type Platform = 'windows' | 'wsl' | 'unix'

const WINDOWS_DRIVE = /^([A-Za-z]):(?=\/|$)/
const WSL_DRIVE = /^\/mnt\/([a-z])(?=\/|$)/
const SHELL_DRIVE = /^\/(?:cygdrive\/|mnt\/)?([A-Za-z])(?=\/|$)/

/** The directories that a session named tell its platform; the root is one of them. */
export function platformOf({ root, directories }: FactsState): Platform {
  const known = root === '' ? directories[0] : root
  if (known === undefined) return 'unix'
  if (WINDOWS_DRIVE.test(known)) return 'windows'
  return WSL_DRIVE.test(known) ? 'wsl' : 'unix'
}

/**
 * A clean path as the session's platform spells it: Git Bash's `/d/x`, Cygwin's `/cygdrive/d/x`
 * and `d:/x` are `D:/x` on Windows, and `C:/x` is `/mnt/c/x` in WSL.
 */
export function onPlatform(platform: Platform, path: string): string {
  if (platform === 'unix') return path
  if (platform === 'wsl') {
    return path.replace(WINDOWS_DRIVE, (_, drive: string) => `/mnt/${drive.toLowerCase()}`)
  }
  const drive = path.startsWith('/') ? SHELL_DRIVE : WINDOWS_DRIVE
  return path.replace(drive, (_, letter: string) => `${letter.toUpperCase()}:`)
}

/** Devices of Windows that commands write to: `2>nul` makes no file. */
export function isDevice(platform: Platform, path: string): boolean {
  return platform === 'windows' && /(?:^|\/)(?:nul|con|prn|aux)$/i.test(path)
}

/** Longer paths are refused by every operating system, or aren't paths. */
const LONGEST_PATH = 1024

/** A path in which nothing matches this needs no cleaning. */
const UNCLEAN = /\\|:\/|\/\/|\/$|(?:^|\/)\.{1,2}(?:\/|$)/

/**
 * A path in one spelling: slashes, no `.` and `..` inside, no slash at the end; `undefined` for a
 * text that can't be a path. Purely lexical: nothing is looked up.
 * @example
 * cleanPath('C:\\Users\\a\\..\\b.ts') // 'C:/Users/b.ts'
 */
export function cleanPath(text: string): string | undefined {
  let path = text.trim()
  if (path.startsWith('file://')) path = path.slice('file://'.length)
  if (path === '' || path.length > LONGEST_PATH || hasControl(path)) return undefined
  if (!UNCLEAN.test(path)) return path
  path = path.replaceAll('\\', '/')
  if (path.includes('://')) return undefined
  const absolute = path.startsWith('/')
  const segments: string[] = []
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue
    if (segment !== '..') segments.push(segment)
    else if (segments.length > 0 && segments.at(-1) !== '..') segments.pop()
    else if (!absolute) segments.push('..')
  }
  const joined = segments.join('/')
  if (absolute) return `/${joined}`
  return joined === '' ? '.' : joined
}

/** Whether a clean path begins at a root or at a home directory. */
export function isAbsolute(path: string): boolean {
  return path.startsWith('/') || path === '~' || path.startsWith('~/') || /^[A-Za-z]:\//.test(path)
}

/** The path relative to `directory`, which must be absolute; unchanged if it is outside. */
export function relativeTo(directory: string, path: string): string {
  if (directory === '') return path
  if (sameStart(path, directory, directory.length)) {
    if (path.length === directory.length) return '.'
    if (path[directory.length] === '/') return path.slice(directory.length + 1)
  }
  return path
}

/** `path` resolved against `directory`; '' means that the directory is unknown. */
export function joinPath(directory: string, path: string): string {
  const clean = cleanPath(path) ?? ''
  if (clean === '' || directory === '' || isAbsolute(clean)) return clean
  return cleanPath(`${directory}/${clean}`) ?? clean
}

/** On a Windows drive, paths are compared without regard to case. */
function sameStart(path: string, directory: string, length: number): boolean {
  if (path.startsWith(directory)) return true
  return (
    directory[1] === ':' &&
    path[1] === ':' &&
    path.slice(0, length).toLowerCase() === directory.toLowerCase()
  )
}

function hasControl(path: string): boolean {
  for (let at = 0; at < path.length; at++) {
    const code = path.charCodeAt(at)
    if (code < 32 || code === 127) return true
  }
  return false
}
