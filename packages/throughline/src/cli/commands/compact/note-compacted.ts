import { ledgerOf } from '../../../config/ledger-of.ts'
import { noteWritten } from '../../../formats/writing/note-written.ts'
import { writtenSession } from '../../../formats/writing/written-session.ts'
import { sanitizeLine } from '../../../log/sanitize.ts'
import { isMessages, type Compacted } from './compact-to-keep.ts'
import type { Io } from '../../io.ts'
import type { Work } from './work.ts'

/** Notes in the user's ledger what leaves as a session or as messages, so that it is known again. */
export async function noteCompacted(
  work: Work,
  { result, after, session }: Compacted,
  { env, stderr }: Io,
): Promise<void> {
  const ledger = ledgerOf(env)
  if (!ledger || (!session && !isMessages(work))) return
  const { facts, source } = work.session
  const written = session ?? writtenSession(result.log, facts, source)
  try {
    const { before } = work
    noteWritten(ledger, written, { log: result.log, now: Date.now(), before, after, source })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    await stderr.write(
      `throughline: the ledger could not be written (${sanitizeLine(reason)}). When this session is read again, its summary will count as the words of a model.\n`,
    )
  }
}
