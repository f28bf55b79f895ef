import type { FoundSession } from '../../harnesses/found-session.ts'

/** Where a session is, and a stamp that changes whenever it does. */
export interface FoundState {
  place: string
  stamp: string
}

/** The state of a session as the search index remembers it. */
export function stateOf(found: FoundSession): FoundState {
  const { type, file, id, at } = found
  return {
    place: type === 'file' ? `file ${file}` : `${type} ${file} ${id}`,
    stamp: `${type === 'file' ? found.bytes : 0} ${at}`,
  }
}
