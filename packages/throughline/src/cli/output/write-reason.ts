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

export function reasonOf(error: unknown): string {
  const code = codeOf(error)
  return reasons[code] ?? `it cannot be written (${code}).`
}
