/** A path relative to the session's root directory, if it is below it. */
export function belowRoot(root: string | undefined, path: string): string {
  return root && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path
}
