import { entryOf, rowOf, type EntryRow } from './entry-row.ts'
import { addRow, dropPlace, makePlace, rowsOf } from './places.ts'
import { findSession, moveSession, noteWritten } from './sessions.ts'
import type { Entry, Seq } from '../../log/entry.ts'
import type { Rewriting } from '../../session/store.ts'
import type { Connection } from './connection.ts'
import type { Statements } from './statements.ts'

/** Changes entries of a session, and leaves nothing of what stood there. */
export function redactSession(
  connection: Connection,
  session: string,
  rewriting: Rewriting,
): Entry | undefined {
  const note = connection.write((statements) => rewrite(statements, session, rewriting))
  // Also where nothing was changed: an earlier redaction may have been interrupted here.
  connection.leaveNoTrace()
  return note
}

function rewrite(
  statements: Statements,
  session: string,
  { change, note }: Rewriting,
): Entry | undefined {
  const found = findSession(statements, session)
  const changed = found && changedRows(statements, found.place, change)
  if (!changed || changed.size === 0) return undefined
  const draft = note([...changed.keys()])
  const { file } = statements
  const noted = rowOf(found.newest + 1, draft, file)
  const place = moveSession(statements, found.place)
  makePlace(statements, place)
  for (const row of rowsOf(statements, found.place)) {
    addRow(statements, place, changed.get(row.seq) ?? row)
  }
  addRow(statements, place, noted)
  noteWritten(statements, { ...found, place })
  dropPlace(statements, found.place)
  return entryOf(noted, file)
}

function changedRows(
  statements: Statements,
  place: number,
  change: Rewriting['change'],
): Map<Seq, EntryRow> {
  const changed = new Map<Seq, EntryRow>()
  for (const row of rowsOf(statements, place)) {
    const other = change(entryOf(row, statements.file))
    if (!other) continue
    const { seq: _, ...draft } = other
    changed.set(row.seq, rowOf(row.seq, draft, statements.file))
  }
  return changed
}
