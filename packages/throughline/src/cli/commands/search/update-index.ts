import { deflateRawSync } from 'node:zlib'
import { addFacts, type StoredFacts } from '../../../formats/stored/facts.ts'
import { ledgerOf } from '../../../config/ledger-of.ts'
import { messageText } from '../../../log/message.ts'
import { readSession } from '../../../formats/reading/read-session.ts'
import { readFound } from '../../../harnesses/read-found.ts'
import { recordedLog } from '../../../clients/recorded-log.ts'
import { plainText } from '../../../session/recall/search-words.ts'
import { InterruptedError } from '../../errors.ts'
import { bar } from '../../terminal/table.ts'
import { clipColumns } from '../../terminal/columns.ts'
import { counted, withThousands } from '../../terminal/numbers.ts'
import { statusLine } from '../../terminal/status-line.ts'
import { takeTurn } from '../../terminal/turn.ts'
import { stateOf } from '../../source/session-found.ts'
import { indexedPassages, settledPart, type IndexedPassage } from './indexed.ts'
import type { ToolLens } from '../../../facts/lens.ts'
import type { FoundSession } from '../../../harnesses/found-session.ts'
import type { Ledger } from '../../../ledger/ledger.ts'
import type { Entry } from '../../../log/entry.ts'
import type { Store, StoredSession } from '../../../session/store.ts'
import type { Io } from '../../io.ts'
import type { IndexFile, Row } from '../../store/search-file.ts'

/** A session that the index should hold. */
interface Place {
  place: string
  /** Changes whenever the session does. */
  stamp: string
  client: string
  id: string
  file: string
  written: number
  /** Its size for the progress bar; 0 if it is unknown. */
  bytes: number
  /** Reports how many bytes it has read so far. */
  read: (onBytes: (bytes: number) => Promise<void>) => Promise<SessionContent>
}

interface SessionContent {
  log: readonly Entry[]
  directory: string | undefined
  id: string | undefined
}

/** The name of the store in the index, where others have that of a client. */
export const inTheStore = 'store'

/** Everything that can be searched, and how to read its tools. */
export interface Searchable {
  found: readonly FoundSession[]
  /** The sessions of the store, if there is one. */
  stored: { store: Store; sessions: readonly StoredSession[] } | undefined
  lenses: readonly ToolLens[]
}

/** What an update could not read. */
export interface UnreadSession {
  file: string
  reason: string
}

/**
 * Brings the index up to date: sessions that are new or have changed are read, and only what is new
 * in them is added; sessions that are gone are taken out. What was done stays done at Ctrl-C.
 * @throws InterruptedError
 */
export async function updateIndex(
  index: IndexFile,
  { found, stored, lenses }: Searchable,
  io: Io,
): Promise<UnreadSession[]> {
  const ledger = ledgerOf(io.env)
  const places = [
    ...found.map((each) => foundPlace(each, ledger, io.env)),
    ...storedPlaces(stored, found),
  ]
  const known = new Map(
    index
      .all('SELECT number, place, stamp FROM sessions')
      .map((row) => [String(row['place']), row]),
  )
  const wanted = new Set(places.map(({ place }) => place))
  const gone = [...known].filter(([place]) => !wanted.has(place))
  if (gone.length > 0) {
    await index.write(() => gone.forEach(([, row]) => takeOut(index, Number(row['number']))))
  }
  const changed = places.filter(({ place, stamp }) => known.get(place)?.['stamp'] !== stamp)
  return readAll(index, changed, lenses, io)
}

// What reading a session takes of the time; the rest is for its words.
const readingShare = 0.3

async function readAll(
  index: IndexFile,
  changed: readonly Place[],
  lenses: readonly ToolLens[],
  io: Io,
): Promise<UnreadSession[]> {
  const unread: UnreadSession[] = []
  const status = statusLine(io)
  const total = changed.reduce((sum, { bytes }) => sum + bytes, 0)
  let done = 0
  try {
    for (const [number, place] of changed.entries()) {
      const progress = async (share: number): Promise<void> => {
        const bytes = done + place.bytes * share
        await status.show((columns) =>
          clipColumns(
            `reading sessions ${bar(bytes / Math.max(total, 1), 20)}  ${withThousands(number)} of ${withThousands(changed.length)}, ${megabytes(bytes)} of ${megabytes(total)} MB`,
            columns,
          ),
        )
        await takeTurn(io)
      }
      await progress(0)
      const size = Math.max(place.bytes, 1)
      const onBytes = (bytes: number): Promise<void> =>
        progress(readingShare * Math.min(1, bytes / size))
      const content = await place.read(onBytes).catch((error: unknown) => {
        if (io.signal.aborted) throw error
        const reason = error instanceof Error ? error.message : String(error)
        unread.push({ file: place.file, reason })
        return undefined
      })
      await index.write(() =>
        takeIn(index, place, content, lenses, (share) =>
          progress(readingShare + (1 - readingShare) * share),
        ),
      )
      done += place.bytes
    }
  } catch (error) {
    if (!io.signal.aborted) throw error
    throw new InterruptedError(
      'interrupted; what was read so far is in the index, and the next search continues from there.',
    )
  } finally {
    await status.clear()
  }
  return unread
}

function megabytes(bytes: number): string {
  return withThousands(bytes / 1_000_000)
}

function foundPlace(found: FoundSession, ledger: Ledger | undefined, env: Io['env']): Place {
  const { harness, file, id, at } = found
  const bytes = found.type === 'file' ? found.bytes : 0
  return {
    ...stateOf(found),
    client: harness.name,
    id,
    file,
    written: Math.floor(at),
    bytes,
    async read(onBytes) {
      const source = counting(readFound(found), onBytes)
      const { log, facts } = await readSession(source, {
        formats: [harness.format],
        ...(ledger && { ledger }),
      })
      const whole = await recordedLog({ of: harness.name, id, log }, env)
      return { log: whole, directory: facts.directory, id: facts.id }
    },
  }
}

/** The chunks; between any two, the number of bytes so far is reported. */
async function* counting(
  chunks: AsyncIterable<Uint8Array>,
  onBytes: (bytes: number) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of chunks) {
    yield chunk
    bytes += chunk.length
    await onBytes(bytes)
  }
}

/** A session that a client still has is found there; its copy in the store is not another one. */
function storedPlaces(stored: Searchable['stored'], found: readonly FoundSession[]): Place[] {
  if (!stored) return []
  const { store, sessions } = stored
  const atHome = new Set(found.map(({ id }) => id))
  return sessions
    .filter(({ id }) => !atHome.has(id))
    .map(({ id, newest, at }) => ({
      place: `store ${id}`,
      stamp: `${newest} ${at}`,
      client: inTheStore,
      id,
      file: '',
      written: Math.floor(at),
      bytes: 0,
      async read() {
        const log = await store.read(id)
        const facts: StoredFacts = {}
        for (const entry of log) addFacts(facts, entry)
        return { log, directory: facts.directory, id }
      },
    }))
}

const passagesAtOnce = 50

/** Takes a session into the index; of one that only grew, what is new. */
async function takeIn(
  index: IndexFile,
  place: Place,
  content: SessionContent | undefined,
  lenses: readonly ToolLens[],
  onShare: (share: number) => Promise<void>,
): Promise<void> {
  const [known] = index.all(
    'SELECT number, stamp, settled, digest FROM sessions WHERE place = ?',
    place.place,
  )
  // Another process was quicker.
  if (known && known['stamp'] === place.stamp) return
  const log = content?.log ?? []
  const from = known && isGrown(known, log) ? Number(known['settled']) : 0
  if (known && from === 0) takeOut(index, Number(known['number']))
  const number = from > 0 ? Number(known?.['number']) : addSession(index, place)
  if (from > 0) takeOutAfter(index, number, from)
  const last = log.at(-1)?.seq ?? 0
  let added = 0
  for (const passage of indexedPassages(log, lenses)) {
    if (passage.seq <= from) continue
    addPassage(index, number, passage)
    if (++added % passagesAtOnce === 0) await onShare((passage.seq - from) / (last - from))
  }
  const { settled, digest } = settledPart(log)
  index.run(
    `UPDATE sessions SET stamp = ?, written = ?, id = ?, title = ?, directory = ?, settled = ?, digest = ?
     WHERE number = ?`,
    place.stamp,
    place.written,
    wholeId(place, content),
    titleOf(log) ?? null,
    content?.directory ?? null,
    settled,
    digest,
    number,
  )
}

function isGrown(known: Row, log: readonly Entry[]): boolean {
  const settled = Number(known['settled'])
  // A redaction changed earlier entries.
  const changed = log
    .slice(settled)
    .some(({ kind, ...entry }) => kind === 'observation' && isRedaction(entry))
  return !changed && settled <= log.length && settledPart(log, settled).digest === known['digest']
}

function isRedaction(entry: object): boolean {
  return JSON.stringify(entry).includes('"redaction"')
}

function wholeId({ id }: Place, content: SessionContent | undefined): string {
  return content?.id?.startsWith(id) ? content.id : id
}

// Enough for a line of any terminal.
const longestTitle = 300

function titleOf(log: readonly Entry[]): string | undefined {
  for (const entry of log) {
    if (entry.kind !== 'message' || entry.origin !== 'human') continue
    const text = messageText(entry.message).trim()
    if (text !== '') return text.slice(0, longestTitle)
  }
  return undefined
}

function addSession(index: IndexFile, { place, client, id, file }: Place): number {
  const sql = `INSERT INTO sessions (place, stamp, client, id, file, written, settled, digest)
    VALUES (?, '', ?, ?, ?, 0, 0, '')`
  return index.run(sql, place, client, id, file).id
}

function addPassage(index: IndexFile, session: number, passage: IndexedPassage): void {
  const { seq, ref, at, said, tool, paths, text } = passage
  const { id } = index.run(
    `INSERT INTO passages (session, seq, ref, at, said, tool, paths, text)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    session,
    seq,
    ref,
    Number.isFinite(at) ? Math.floor(at) : 0,
    said,
    tool ?? null,
    paths.length === 0 ? null : paths.join('\n'),
    deflateRawSync(text, { level: 1 }),
  )
  index.run(
    'INSERT INTO words (rowid, text, tool, paths) VALUES (?, ?, ?, ?)',
    id,
    plainText(text),
    plainText(tool ?? ''),
    plainText(paths.join('\n')),
  )
}

function takeOutAfter(index: IndexFile, session: number, seq: number): void {
  index.run(
    'DELETE FROM words WHERE rowid IN (SELECT id FROM passages WHERE session = ? AND seq > ?)',
    session,
    seq,
  )
  index.run('DELETE FROM passages WHERE session = ? AND seq > ?', session, seq)
}

function takeOut(index: IndexFile, session: number): void {
  takeOutAfter(index, session, -1)
  index.run('DELETE FROM sessions WHERE number = ?', session)
}

export function sessionCount(index: IndexFile): string {
  const [row] = index.all('SELECT count(*) AS sessions FROM sessions')
  return counted(Number(row?.['sessions']), 'session')
}
