import { dropPlace } from './places.ts'
import { deleteSession, findSession } from './sessions.ts'
import type { Connection } from './connection.ts'

/** Forgets a session, and leaves nothing of it. */
export function removeSession(connection: Connection, session: string): void {
  connection.write((statements) => {
    const found = findSession(statements, session)
    if (!found) return
    dropPlace(statements, found.place)
    deleteSession(statements, found.place)
  })
  // Also where there was none: an earlier removal may have been interrupted here.
  connection.leaveNoTrace()
}
