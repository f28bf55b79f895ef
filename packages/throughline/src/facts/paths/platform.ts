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
