import { newTreeState, type TreeState } from '../tree/tree-state.ts'

/** What is known while a session file is read. */
export interface State extends TreeState {
  /** The place of the record in its file, from 0: what version 1 has instead of ids. */
  index: number
}

export function newState(): State {
  return { ...newTreeState(), index: 0 }
}
