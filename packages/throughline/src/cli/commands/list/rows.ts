import { policyOf } from '../../../config/policy-of.ts'
import { usableOf } from '../../sizes/keep-policy.ts'
import { chooseWindow } from '../../sizes/window-choice.ts'
import type { Configuration } from '../../../config/load-config.ts'
import type { FoundSession, Unreadable } from '../../../harnesses/found-session.ts'
import { previewSession, type SessionPreview } from '../../../harnesses/preview/preview-session.ts'
import { UnreadableSessionError } from '../../../harnesses/errors.ts'
import { clipColumns } from '../../terminal/columns.ts'
import { withThousands } from '../../terminal/numbers.ts'
import { statusLine } from '../../terminal/status-line.ts'
import { takeTurn } from '../../terminal/turn.ts'
import type { Io } from '../../io.ts'

/** A row of the list: a harness's session. */
export interface ListRow {
  found: FoundSession
  preview: SessionPreview
  /** The usable window beside the model's answer, in tokens. */
  usable: number
}

function listRow(
  found: FoundSession,
  preview: SessionPreview,
  configuration: Configuration,
): ListRow {
  const { model, window } = preview
  const facts = { ...(model !== undefined && { model }), ...(window !== undefined && { window }) }
  const choice = chooseWindow(undefined, facts, configuration)
  return { found, preview, usable: usableOf(choice.window, policyOf(configuration, model)) }
}

/**
 * Looks at sessions until it has read `limit` of them; unreadable ones are reported.
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
        rows.push(listRow(found, await previewSession(found), configuration))
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

/**
 * One sentence about unreadable sessions: the remedy for a single one is shown when it is opened.
 */
function reasonOf({ cause, message }: UnreadableSessionError): string {
  const [sentence = ''] = (cause instanceof Error ? cause.message : message).split('. ', 1)
  return sentence
}
