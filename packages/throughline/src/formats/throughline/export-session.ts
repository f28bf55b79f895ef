import { timeSlices } from '../../session/loop/pause.ts'
import { newestOf } from '../../session/operations/undo.ts'
import { encodeEntry } from '../../stores/sqlite/payload.ts'
import { countOf, fieldsOf, nameOf } from '../../json/fields.ts'
import type { Entry, Seq } from '../../log/entry.ts'
import type { Store } from '../../session/store.ts'

/** The first line of an exported session. */
export interface Header {
  id: string | undefined
  /** How many entries follow. */
  entries: Seq
}

// Richer formats get a higher number, and older readers leave them alone.
const version = 1

export function headerLine(id: string, entries: Seq): string {
  return JSON.stringify({ throughline: 'session', version, id, entries })
}

export function headerIn(record: unknown): Header | undefined {
  const fields = fieldsOf(record)
  if (fields?.['throughline'] !== 'session' || fields['version'] !== version) return undefined
  return { id: nameOf(fields['id']), entries: countOf(fields['entries']) ?? 0 }
}

// This many entries are in memory at once.
const batch = 500

/**
 * A stored session as JSON Lines that `readSession` reads back entry for entry and `importSession`
 * adds to any store: the same log, with its undo and its refs. One line at a time, each with its
 * newline.
 * @throws SessionNotFoundError
 * @example
 * await writeFile('a.jsonl', exportSession(store, 'a'))
 */
export async function* exportSession(store: Store, session: string): AsyncGenerator<string> {
  const { seq: newest } = await newestOf(store, session)
  yield `${headerLine(session, newest)}\n`
  const turn = timeSlices()
  for (let after = 0; after < newest; after += batch) {
    const upTo = Math.min(after + batch, newest)
    for (const entry of await store.read(session, { after, upTo })) {
      yield `${entryLine(entry)}\n`
      await turn()
    }
  }
}

function entryLine({ seq, ...draft }: Entry): string {
  return encodeEntry({ seq, ...draft } as Entry)
}
