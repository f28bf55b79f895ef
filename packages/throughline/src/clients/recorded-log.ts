import { existsSync } from 'node:fs'
import { chronological, type Chronological } from '../log/order.ts'
import { clientStoreFile } from './client-store.ts'
import { draftOf, type Entry, type EntryDraft } from '../log/entry.ts'
import { memoryStore } from '../stores/memory.ts'
import { openHosted, recordsOf } from '../hosts/hosted-session.ts'
import { sqliteStore } from '../stores/sqlite/sqlite-store.ts'
import { withRecordOfCalls } from './opencode/messages.ts'
import { writtenIn } from './opencode/written.ts'

/** A client whose own sessions hold nothing of our compactions: they stand beside them alone. */
const client = 'opencode'

interface ClientLog {
  /** The client, by the name of its format. */
  of: string
  id: string
  /** What the client's own file says. */
  log: Chronological
}

/**
 * The log of a session with the compactions that Throughline made of it inside its client, which the
 * client's own file does not hold; that log itself where none was made. Nothing is written.
 */
export async function recordedLog(
  { of, id, log }: ClientLog,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Chronological> {
  const file = of === client ? clientStoreFile(client, env) : undefined
  if (file === undefined || !existsSync(file)) return log
  const kept = sqliteStore({ file })
  try {
    const recorded = await kept.read(id)
    if (!recorded.some(isMadeByUs)) return log
    const written = await writtenIn(kept, id)
    const store = memoryStore()
    await store.append(id, recorded.map(draftOf))
    const isOurs = (draft: EntryDraft): boolean =>
      draft.kind === 'checkpoint' && recordsOf(draft).some((each) => written.has(each))
    const hosted = openHosted({ store, id, window: { context: 1 }, isOurs })
    await hosted.follow(log.map(draftOf).map(withRecordOfCalls()))
    const grown = await hosted.session.log()
    // Of another session, or of one that was begun anew, nothing would stand.
    const isOther = grown
      .slice(recorded.length)
      .some((entry) => entry.kind === 'rewind' && entry.to === 0)
    return isOther ? log : chronological(grown)
  } finally {
    kept.close()
  }
}

function isMadeByUs({ kind }: Entry): boolean {
  return kind === 'checkpoint' || kind === 'prune'
}
