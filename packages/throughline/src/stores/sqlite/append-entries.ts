import { checkCondition } from '../condition.ts'
import { rowOf } from './entry-row.ts'
import { readBack } from './payload.ts'
import { addRow, atOf, makePlace } from './places.ts'
import { addSession, findSession, noteWritten, type SessionRow } from './sessions.ts'
import type { Entry, EntryDraft } from '../../log/entry.ts'
import type { AppendCondition } from '../../session/store.ts'
import type { Connection } from './connection.ts'
import type { Statements } from './statements.ts'

/** Appends drafts to a session, all or none. */
export function appendEntries(
  connection: Connection,
  session: string,
  drafts: readonly EntryDraft[],
  condition: AppendCondition | undefined,
): Entry[] {
  // Encoded before the lock is taken: others wait no longer than the writing takes.
  const made = drafts.map((draft, index) => rowOf(index + 1, draft, connection.file))
  const rows = connection.write((statements) => {
    const found = findSession(statements, session)
    checkCondition(
      session,
      {
        newest: found?.newest ?? 0,
        atOf: (seq) => found && atOf(statements, found.place, seq),
      },
      condition,
    )
    if (drafts.length === 0) return []
    const stored = found ?? newSession(statements, session)
    const placed = made.map((row) => ({ ...row, seq: stored.newest + row.seq }))
    for (const row of placed) addRow(statements, stored.place, row)
    noteWritten(statements, stored)
    return placed
  })
  // What is answered is what will be read, and shares nothing with what the caller holds.
  return rows.map(({ text, seq }, index) => readBack(drafts[index] as EntryDraft, text, seq))
}

function newSession(statements: Statements, session: string): SessionRow {
  const added = addSession(statements, session)
  makePlace(statements, added.place)
  return added
}
