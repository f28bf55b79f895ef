import { isPath, namesOf } from './words.ts'
import { visibleTextOf } from './visible.ts'
import type { MeasuredSession } from './measured-session.ts'

/** Identifiers of library calls stand in sessions of this many repositories. */
const repositoriesOfGeneric = 3

/** Identifiers that stand in sessions of three or more repositories: they do not count. */
export function genericIdentifiers(sessions: readonly MeasuredSession[]): Set<string> {
  const repositories = new Map<string, Set<string>>()
  for (const session of sessions) {
    for (const name of namesOf(visibleTextOf(session.log), session.directories)) {
      if (isPath(name)) continue
      const seenIn = repositories.get(name) ?? new Set()
      repositories.set(name, seenIn.add(session.repository))
    }
  }
  const generic = [...repositories].filter(([, seenIn]) => seenIn.size >= repositoriesOfGeneric)
  return new Set(generic.map(([name]) => name))
}
