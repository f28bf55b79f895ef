import type { Entry } from './entry.ts'

const viewChanges: ReadonlySet<Entry['kind']> = new Set(['checkpoint', 'prune', 'rewind'])

/** Whether an entry changes what the model sees of those before it. */
export function changesView({ kind }: Entry): boolean {
  return viewChanges.has(kind)
}
