import { giveBack } from './session-tables.ts'
import type { Connection } from './connection.ts'
import type { Statements } from './statements.ts'

/** Returns free space to the disk, a little at a time, and empties the write-ahead log. */
export async function leaveNothing(connection: Connection, isFull: boolean): Promise<void> {
  while (await connection.write(giveBack)) if (isFull) await connection.leaveNoTrace()
  await connection.leaveNoTrace()
}

/**
 * On a full disk, freed pages are not written once more to zero them: the file gets shorter until
 * there are none.
 */
export async function sparingly(
  statements: Statements,
  isFull: boolean,
  work: () => Promise<void>,
): Promise<void> {
  if (!isFull) return work()
  statements.exec('PRAGMA secure_delete = FAST')
  try {
    await work()
  } finally {
    statements.exec('PRAGMA secure_delete = ON')
  }
}
