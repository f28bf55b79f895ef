import { glanceAt } from '../../harnesses/glance/glance-at.ts'
import { UnreadableSessionError } from '../../harnesses/errors.ts'
import { clipColumns } from '../terminal/columns.ts'
import { withThousands } from '../terminal/numbers.ts'
import { statusLine } from '../terminal/status-line.ts'
import { takeTurn } from '../turn.ts'
import { listRow, type ListRow } from './row.ts'
import type { Configuration } from '../../config/load-config.ts'
import type { FoundSession, Unreadable } from '../../harnesses/found-session.ts'
import type { Io } from '../io.ts'

/**
 * Looks at sessions until `limit` could be looked at; those that could not are told of.
 * @throws InterruptedError
 */
export async function rowsOf(
  sessions: readonly FoundSession[],
  {
    limit,
    configuration,
    unreadable,
  }: {
    limit: number
    configuration: Configuration
    unreadable: Unreadable[]
  },
  io: Io,
): Promise<ListRow[]> {
  const rows: ListRow[] = []
  const status = statusLine(io)
  const most = withThousands(Math.min(limit, sessions.length))
  try {
    for (const found of sessions) {
      if (rows.length >= limit) break
      await takeTurn(io)
      await status.show((columns) =>
        clipColumns(`looking at sessions  ${withThousands(rows.length)}/${most}`, columns),
      )
      try {
        rows.push(listRow(found, await glanceAt(found), configuration))
      } catch (error) {
        if (!(error instanceof UnreadableSessionError)) throw error
        unreadable.push({ file: error.file, reason: reasonOf(error) })
      }
    }
  } finally {
    await status.clear()
  }
  return rows
}

/** In one sentence: what to do about one session of many is for those who want that one. */
function reasonOf({ cause, message }: UnreadableSessionError): string {
  const [sentence = ''] = (cause instanceof Error ? cause.message : message).split('. ', 1)
  return sentence
}
