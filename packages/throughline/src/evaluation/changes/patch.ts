import type { Change } from './change.ts'

const header = /^\*\*\* (Add|Update|Delete) File: (.+)$/
const move = /^\*\*\* Move to: (.+)$/

/** What a patch in the `*** Begin Patch` form does to files. */
export function changesOfPatch(patch: string): Change[] {
  const changes: Change[] = []
  for (const line of patch.split('\n')) {
    const [, verb, path] = header.exec(line) ?? []
    if (verb !== undefined && path !== undefined) {
      const type = verb === 'Add' ? 'create' : verb === 'Delete' ? 'delete' : 'edit'
      changes.push({ type, path: path.trim() })
    }
    const to = move.exec(line)?.[1]?.trim()
    const last = changes.at(-1)
    if (to !== undefined && last !== undefined) {
      changes[changes.length - 1] = { type: 'rename', path: last.path, to }
    }
  }
  return changes
}
