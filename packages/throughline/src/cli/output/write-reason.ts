import { codeOf } from '../errors.ts'

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'its directory does not exist. Create it first.',
  ENOTDIR: 'a part of the path is not a directory.',
  EACCES: 'it cannot be written: permission denied.',
  EPERM: 'it cannot be written: not permitted.',
  EROFS: 'it cannot be written: the file system is read-only.',
  ENOSPC: 'there is no space left on the device.',
  ENAMETOOLONG: 'the name is too long.',
  ELOOP: 'it is a symbolic link to itself.',
}

/**
 * What the system says, without its code, its call and the path, which the message names already.
 * @example
 * plainReason("EACCES: permission denied, open '/a/b'") // 'permission denied'
 */
export function plainReason(message: string): string {
  return /^E[A-Z0-9]{2,20}: ([^,]{1,80}), /.exec(message)?.[1] ?? message
}

export function reasonOf(error: unknown): string {
  const code = codeOf(error)
  return reasons[code] ?? `it cannot be written (${code}).`
}
