import {
  candidates,
  checkCondition,
  decodeEntry,
  encodeEntry,
  matchingSeqs,
  readBack,
} from 'throughline/stores'
import type { Entry, EntryDraft, Store } from 'throughline'
import type { AppendCondition, Rewriting, Selection } from 'throughline/engine'
import type { Connection } from './connection.ts'
import { type Row, type Query } from './migrations.ts'
import type { Seal } from '../encryption/seal.ts'

/**
 * Logs in Postgres: one row for each entry. Seqs are given inside the transaction that appends them,
 * under the lock of the log's row, so any number of processes may write to one session.
 *
 * What is redacted or removed is gone for every reader at once; its bytes leave the files of Postgres
 * when it vacuums them, and its write-ahead log and backups when those are rotated.
 */
export function postgresStore({ query, transaction }: Connection, seal: Seal): Store {
  const payloadOf = (session: string, text: string): Buffer =>
    seal.sealed(Buffer.from(text), session)
  const entryOf = (session: string, row: Row): Entry =>
    decodeEntry(
      seal.opened(row['payload'] as Uint8Array, session).toString('utf8'),
      Number(row['seq']),
    )

  return {
    async append(session, drafts, condition, { signal } = {}) {
      signal?.throwIfAborted()
      const texts = drafts.map(encodeEntry)
      const first = await append(query, session, condition, {
        drafts,
        payloads: texts.map((text) => payloadOf(session, text)),
      })
      return drafts.map((draft, index) => readBack(draft, texts[index] as string, first + index))
    },
    async read(session, selection = {}, { signal } = {}) {
      signal?.throwIfAborted()
      const rows = await query(...selectionOf(session, selection))
      const entries = rows.map((row) => entryOf(session, row))
      return selection.newest === undefined ? entries : entries.toReversed()
    },
    // The words are those of the entries themselves: an index of them would betray what is encrypted.
    async search(session, search, { signal } = {}) {
      signal?.throwIfAborted()
      const rows = await query(...selectionOf(session, { kinds: ['message'] }))
      const entries = rows.map((row) => entryOf(session, row))
      return matchingSeqs(entries, search)
    },
    async sessions({ signal } = {}) {
      signal?.throwIfAborted()
      const rows = await query('SELECT id, newest, at FROM $schema.logs ORDER BY written DESC')
      return rows.map((row) => ({
        id: String(row['id']),
        newest: Number(row['newest']),
        at: Number(row['at']),
      }))
    },
    async redact(session, rewriting, { signal } = {}) {
      signal?.throwIfAborted()
      return transaction((within) =>
        redact(within, session, rewriting, { payloadOf, entryOf, signal }),
      )
    },
    async remove(session) {
      await query('DELETE FROM $schema.logs WHERE id = $1', [session])
    },
  }
}

/** The seq of the first of the entries that were appended. */
async function append(
  query: Query,
  session: string,
  condition: AppendCondition | undefined,
  { drafts, payloads }: { drafts: readonly EntryDraft[]; payloads: readonly Buffer[] },
): Promise<number> {
  const { newest: expected, holds } = condition ?? {}
  const [row] = await query('SELECT * FROM $schema.append($1, $2, $3, $4, $5, $6, $7)', [
    session,
    expected ?? null,
    holds?.seq ?? null,
    holds && Number.isFinite(holds.at) ? holds.at : null,
    drafts.map(({ kind }) => kind),
    drafts.map(timeOf),
    payloads,
  ])
  const held = row?.['held_now'] ?? undefined
  const newest = Number(row?.['newest_before'])
  // It throws where the function has found the same and written nothing.
  checkCondition(session, { newest, atOf: () => held as number | undefined }, condition)
  return newest + 1
}

/** A time that isn't a number is in the entry alone. */
function timeOf({ at }: EntryDraft): number {
  return Number.isFinite(at) ? at : 0
}

function selectionOf(
  session: string,
  { after, upTo, kinds, seqs, newest }: Selection,
): [string, unknown[]] {
  const values: unknown[] = [session]
  const and = (test: string, value: unknown): string =>
    value === undefined ? '' : ` AND ${test.replace('?', `$${values.push(value)}`)}`
  const where =
    and('seq > ?', after && placeOf(after)) +
    and('seq <= ?', upTo && placeOf(upTo)) +
    and('kind = ANY(?)', kinds) +
    // As in the index of all other kinds, so that it is used.
    (kinds && !kinds.includes('message') ? " AND kind <> 'message'" : '') +
    and(
      'seq = ANY(?)',
      seqs?.filter((seq) => placeOf(seq) === seq),
    )
  const limit =
    newest === undefined ? '' : ` DESC LIMIT $${values.push(Math.max(0, placeOf(newest)))}`
  return [
    `SELECT seq, payload FROM $schema.entries WHERE log = (SELECT number FROM $schema.logs WHERE id = $1)${where} ORDER BY seq${limit}`,
    values,
  ]
}

// Of an integer of Postgres.
const greatest = 2_147_483_647

function placeOf(seq: number): number {
  return Math.max(-1, Math.min(greatest, Math.floor(seq)))
}

interface Codec {
  payloadOf: (session: string, text: string) => Buffer
  entryOf: (session: string, row: Row) => Entry
  signal: AbortSignal | undefined
}

async function redact(
  query: Query,
  session: string,
  { change, note, known, condition }: Rewriting,
  { payloadOf, entryOf, signal }: Codec,
): Promise<Entry | undefined> {
  const [log] = await query('SELECT number, newest FROM $schema.logs WHERE id = $1 FOR UPDATE', [
    session,
  ])
  const newest = Number(log?.['newest'] ?? 0)
  const rows = log ? await query(...selectionOf(session, {})) : []
  const entries = rows.map((row) => entryOf(session, row))
  checkCondition(session, { newest, atOf: (seq) => entries[seq - 1]?.at }, condition)
  const mayChange = candidates(known)
  const changed = entries.flatMap((entry) => {
    const other = mayChange(entry.seq) ? change(entry) : undefined
    return other ? [{ ...other, seq: entry.seq }] : []
  })
  if (changed.length === 0) return undefined
  signal?.throwIfAborted()
  await query(
    'UPDATE $schema.entries AS e SET at = c.at, payload = c.payload FROM unnest($2::int[], $3::float8[], $4::bytea[]) AS c(seq, at, payload) WHERE e.log = $1 AND e.seq = c.seq',
    [
      log?.['number'],
      changed.map(({ seq }) => seq),
      changed.map(timeOf),
      changed.map((entry) => payloadOf(session, encodeEntry(entry))),
    ],
  )
  const draft = note(changed.map(({ seq }) => seq))
  const text = encodeEntry(draft)
  const payloads = [payloadOf(session, text)]
  const seq = await append(query, session, undefined, { drafts: [draft], payloads })
  return readBack(draft, text, seq)
}
