/** A label or two around it cost as much as this many characters of a path. */
const leastSaved = 40

/**
 * The directory that many paths share, with its slash at the end, where it saves most to write it
 * once; empty where that saves nothing worth it.
 * @example
 * sharedDirectory(['src/plugins/collab/a.ts', 'src/plugins/collab/b.ts', …]) // 'src/plugins/collab/'
 */
export function sharedDirectory(paths: readonly string[]): string {
  const times = new Map<string, number>()
  for (const path of paths) {
    for (let end = path.indexOf('/', 1); end > 0; end = path.indexOf('/', end + 1)) {
      const directory = path.slice(0, end + 1)
      times.set(directory, (times.get(directory) ?? 0) + 1)
    }
  }
  let best = ''
  let most = leastSaved
  for (const [directory, count] of times) {
    const saved = directory.length * (count - 1)
    if (saved < most) continue
    best = directory
    most = saved
  }
  return best
}
