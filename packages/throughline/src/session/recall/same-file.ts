import { cleanPath, isAbsolute } from '../../facts/paths/clean-path.ts'

/**
 * Whether a path that was asked for may be the file at `found`: the same path, the end of it, or
 * a whole path that ends with it.
 * @example
 * isSameFile('src/a.ts', '/repo/src/a.ts') // true
 */
export function isSameFile(asked: string, found: string): boolean {
  const [one, other] = [cleanPath(asked), cleanPath(found)]
  if (one === undefined || other === undefined) return false
  return one === other || endsWith(other, one) || (isAbsolute(one) && endsWith(one, other))
}

function endsWith(path: string, end: string): boolean {
  return path.endsWith(`/${end}`)
}
