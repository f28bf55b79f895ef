import { shownName } from '../store/shown-name.ts'
import type { FoundSession } from '../../harnesses/found-session.ts'

type Named = Pick<FoundSession, 'harness' | 'id'>

// What people read out to each other, behind what all ids of a kind begin with: `ses_`.
const shortest = 8

/** Names that can be given to a command, each as short as the ids of its harness allow. */
export function shortNames(shown: readonly Named[], all: readonly Named[]): string[] {
  return shown.map((session) => {
    const { prefix, name } = session.harness
    const others = new Set(all.flatMap(({ harness, id }) => (harness.name === name ? [id] : [])))
    let length = session.id.indexOf('_') + 1 + shortest
    for (const other of others) {
      // Itself, or what the name of its file tells of it.
      if (session.id.startsWith(other)) continue
      length = Math.max(length, sharedLength(session.id, other) + 1)
    }
    return shownName(`${prefix}:${session.id.slice(0, length)}`)
  })
}

function sharedLength(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return length
}
