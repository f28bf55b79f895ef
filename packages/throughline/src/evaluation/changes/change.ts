export type ChangedState = 'created' | 'edited' | 'renamed' | 'deleted'

/** One thing that a call did to a file. A `write` created it or edited it: the call does not say. */
export type Change =
  | { type: 'create' | 'edit' | 'write' | 'delete'; path: string }
  | { type: 'rename'; path: string; to: string }

/**
 * What became of each file: every state that would be right to name. A file that was
 * created and then edited may be called either.
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
