import { memoryLedger } from '../../ledger/ledger.ts'
import { testIdentity } from '../../testing/conformance/writer-conformance.ts'
import { noteWritten } from '../writing/note-written.ts'
import { readSession, type SessionRead } from '../reading/read-session.ts'
import { writtenSession } from '../writing/written-session.ts'
import type { Chronological } from '../../log/order.ts'
import type { Format } from '../format.ts'
import type { FormatWriter } from '../writing/format-writer.ts'
import type { Source } from '../../log/entry.ts'

/** A log that goes through a client's file as `resume` writes it, and comes back on this machine. */
export async function writtenAndRead(
  log: Chronological,
  { writer, format }: { writer: FormatWriter; format?: Format },
  source?: Source,
): Promise<SessionRead> {
  const ledger = memoryLedger()
  const written = writtenSession(log, {}, source)
  noteWritten(ledger, written, { log, now: 0, source })
  const { text } = writer.write(written, testIdentity())
  return readSession([text], { ledger, ...(format && { formats: [format] }) })
}
