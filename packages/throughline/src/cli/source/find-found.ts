import { findSessions, type FoundSessions } from '../../harnesses/find/find-sessions.ts'
import { surroundingsOf } from '../../harnesses/find-program.ts'
import { InterruptedError } from '../errors.ts'
import { clipColumns } from '../terminal/columns.ts'
import { withThousands } from '../terminal/numbers.ts'
import { statusLine } from '../terminal/status-line.ts'
import type { Harness } from '../../formats/writing/harness.ts'
import type { Io } from '../io.ts'

/**
 * Finds the sessions of harnesses on this machine while a line in the terminal says so.
 * @throws InterruptedError
 */
export async function findFound(harnesses: readonly Harness[], io: Io): Promise<FoundSessions> {
  const status = statusLine(io)
  const onProgress = (found: number): Promise<void> =>
    status.show((columns) =>
      clipColumns(`looking for sessions  ${withThousands(found)} found`, columns),
    )
  try {
    const { signal } = io
    return await findSessions(surroundingsOf(io.env), { harnesses, onProgress, signal })
  } catch (error) {
    if (!io.signal.aborted) throw error
    throw new InterruptedError('interrupted while looking for sessions; nothing was done.')
  } finally {
    await status.clear()
  }
}
