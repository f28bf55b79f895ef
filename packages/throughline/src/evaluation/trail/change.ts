export type ChangedState = 'created' | 'edited' | 'renamed' | 'deleted'

/**
 * One thing that a call did to a file. A `write` created or edited it: the call doesn't say which.
 */
export type Change =
  | { type: 'create' | 'edit' | 'write' | 'delete'; path: string }
  | { type: 'rename'; path: string; to: string }

/**
 * What happened to each file: every state that would be right to name. A file that was created and
 * then edited may be called either.
 */
export type Outcome = Map<string, Set<ChangedState>>

export function applyChange(outcome: Outcome, change: Change): void {
  const { path } = change
  const before = outcome.get(path) ?? new Set()
  const alive = [...before].filter((state) => state !== 'deleted')
  switch (change.type) {
    case 'create':
      return void outcome.set(path, new Set([...alive, 'created']))
    case 'edit':
      return void outcome.set(path, new Set([...alive, 'edited']))
    case 'write':
      return void outcome.set(path, new Set([...alive, 'edited', 'created']))
    case 'delete':
      return void outcome.set(path, new Set(['deleted']))
    case 'rename':
      outcome.set(path, new Set(['renamed', 'deleted']))
      outcome.set(change.to, new Set([...alive, 'renamed']))
  }
}

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
