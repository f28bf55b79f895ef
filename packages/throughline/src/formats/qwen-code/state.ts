import { newTreeState, type TreeState } from '../tree/tree-state.ts'

/** What is known while a session is read. */
export interface State extends TreeState {
  /**
   * By what was said: the unit that it stands in. A compaction repeats what it keeps, and
   * names no record of it.
   */
  units: Map<string, number>
}

export function newState(): State {
  return { ...newTreeState(), units: new Map() }
}
