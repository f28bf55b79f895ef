import { policyOf } from '../../../config/policy-of.ts'
import { usableOf } from '../../sizes/keep-policy.ts'
import { chooseWindow } from '../../sizes/window-choice.ts'
import type { Configuration } from '../../../config/load-config.ts'
import type { FoundSession, Unreadable } from '../../../harnesses/found-session.ts'
import { previewSession, type SessionPreview } from '../../../harnesses/preview/preview-session.ts'
import { UnreadableSessionError } from '../../../harnesses/errors.ts'
import { isIn } from '../../source/filters.ts'
import { foundMoney } from '../../source/found-money.ts'
import { stateOf } from '../../source/session-found.ts'
import { clipColumns } from '../../terminal/columns.ts'
import { withThousands } from '../../terminal/numbers.ts'
import { statusLine } from '../../terminal/status-line.ts'
import { takeTurn } from '../../terminal/turn.ts'
import type { SessionMoney } from '../../sizes/session-money.ts'
import type { Io } from '../../io.ts'

/** A row of the list: a harness's session. */
export interface ListRow {
  found: FoundSession
  preview: SessionPreview
  /** The window without the room for the model's answer, in tokens. */
  usable: number
  /** What its requests have cost, if that is known. */
  money: SessionMoney | undefined
}

/**
 * Looks at sessions until it has read `limit` of them; `left` is how many more there are. Unreadable
 * ones are reported.
 * @throws InterruptedError
 */
export async function rowsOf(
  sessions: readonly FoundSession[],
  {
    limit,
    configuration,
    unreadable,
    directories = [],
    read,
  }: {
    limit: number
    configuration: Configuration
    unreadable: Unreadable[]
    /** Only sessions that worked in one of these, if there are any. */
    directories?: readonly string[]
    /** Whether sessions are read for their costs; else only known costs are returned. */
    read: boolean
  },
  io: Io,
): Promise<{ rows: ListRow[]; left: number }> {
  const rows: ListRow[] = []
  const status = statusLine(io)
  const most = withThousands(Math.min(limit, sessions.length))
  let left = 0
  try {
    for (const found of sessions) {
      // With directories, each of the others must be looked at to count it.
      if (rows.length >= limit && directories.length === 0) {
        left = sessions.length - sessions.indexOf(found)
        break
      }
      await takeTurn(io)
      await status.show((columns) =>
        clipColumns(`looking at sessions  ${withThousands(rows.length)}/${most}`, columns),
      )
      try {
        const preview = await previewSession(found)
        if (!isIn(preview.directory, directories)) continue
        if (rows.length >= limit) left++
        else
          rows.push({ found, preview, usable: usableFor(preview, configuration), money: undefined })
      } catch (error) {
        if (!(error instanceof UnreadableSessionError)) throw error
        unreadable.push({ file: error.file, reason: reasonOf(error) })
      }
    }
  } finally {
    await status.clear()
  }
  const shown = rows.map(({ found }) => found)
  const money = await foundMoney(shown, configuration, io, { read })
  return {
    rows: rows.map((row) => ({ ...row, money: money.get(stateOf(row.found).place) })),
    left,
  }
}

function usableFor({ model, window }: SessionPreview, configuration: Configuration): number {
  const facts = { ...(model !== undefined && { model }), ...(window !== undefined && { window }) }
  const choice = chooseWindow(undefined, facts, configuration)
  return usableOf(choice.window, policyOf(configuration, model))
}

/** One sentence: the remedy for a single session is shown when it is opened. */
function reasonOf({ cause, message }: UnreadableSessionError): string {
  const [sentence = ''] = (cause instanceof Error ? cause.message : message).split('. ', 1)
  return sentence
}
