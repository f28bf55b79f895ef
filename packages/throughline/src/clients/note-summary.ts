import { ledgerOf } from '../config/ledger-of.ts'
import { noteWritten } from '../formats/writing/note-written.ts'
import type { ClientRecord } from './record.ts'
import type { ClientSession, Done } from './client-session.ts'

/**
 * Notes a summary that a client keeps in its own session, so that it is known again when that session
 * is read. The client goes on where that fails; the record says why.
 */
export async function noteSummary(
  at: ClientSession,
  { summary, done }: { summary: string; done: Done },
  { env, record }: NoteWorld,
): Promise<void> {
  try {
    const ledger = ledgerOf(env)
    const { before, after } = done.report
    const log = await at.session.log()
    if (ledger)
      noteWritten(ledger, { summary, messages: [] }, { log, now: Date.now(), before, after })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    record({ event: 'error', reason: `the ledger could not be written: ${reason}` })
  }
}

interface NoteWorld {
  env: Readonly<Record<string, string | undefined>>
  record: (entry: Omit<ClientRecord, 'at' | 'client'>) => void
}
