import { ledgerOf } from '../../../config/ledger-of.ts'
import { ImportConflictError } from '../../../formats/stored/errors.ts'
import {
  importSession,
  type ImportedSession,
  type ImportOptions,
} from '../../../formats/stored/import-session.ts'
import { readSession, type SessionRead } from '../../../formats/reading/read-session.ts'
import { readFound } from '../../../harnesses/read-found.ts'
import { previewSession } from '../../../harnesses/preview/preview-session.ts'
import { CommandError, InterruptedError } from '../../errors.ts'
import { unreadableLines } from '../list/list-lines.ts'
import { isIn, type SessionFilters } from '../../source/filters.ts'
import { stateOf } from '../../source/session-found.ts'
import { findFound } from '../../source/find-found.ts'
import { inNewStore, shownStore } from '../../store/open-store.ts'
import { canBeTyped, shownName, someNames } from '../../store/session-name.ts'
import { openIndex, searchFile, type IndexFile } from '../../store/search-file.ts'
import { bar } from '../../terminal/table.ts'
import { clipColumns } from '../../terminal/columns.ts'
import { counted, withThousands } from '../../terminal/numbers.ts'
import { statusLine } from '../../terminal/status-line.ts'
import { takeTurn, takingTurns } from '../../terminal/turn.ts'
import { sourceOf } from './import-one.ts'
import type { Configuration } from '../../../config/load-config.ts'
import type { FoundSession } from '../../../harnesses/found-session.ts'
import type { Store } from '../../../session/store.ts'
import type { Io } from '../../io.ts'
import type { Result } from '../../store/result.ts'

/** What an archiving run did with one session. */
type Archived =
  | { type: 'same' | 'silent' }
  | { type: 'unread'; file: string; reason: string }
  | { type: 'done'; session: string; added: number; known: number; branch: boolean }

/**
 * Imports every session of this machine, or what is new in it. Whatever was done stays done at Ctrl-C.
 * @throws CommandError if there is no session; InterruptedError
 */
export async function importAll(
  filters: SessionFilters,
  configuration: Configuration,
  io: Io,
): Promise<Result> {
  const sessions = await wanted(filters, io)
  const index = openIndex(searchFile(configuration))
  try {
    const { done, file } = await inNewStore(configuration, io, async (store) => ({
      done: await archiveAll(sessions, store, index, io),
      file: store.file,
    }))
    return resultOf(done, file, io)
  } finally {
    index.close()
  }
}

async function wanted({ harnesses, since, directories }: SessionFilters, io: Io) {
  const { sessions } = await findFound(harnesses, io)
  if (sessions.length === 0) throw new CommandError('no sessions were found on this machine.')
  const recent = sessions.filter(({ at }) => since === undefined || at >= since)
  if (directories.length === 0) return recent
  const inside: FoundSession[] = []
  for (const session of recent) {
    await takeTurn(io)
    const preview = await previewSession(session).catch(() => undefined)
    if (isIn(preview?.directory, directories)) inside.push(session)
  }
  return inside
}

async function archiveAll(
  sessions: readonly FoundSession[],
  store: Store,
  index: IndexFile,
  io: Io,
): Promise<Archived[]> {
  const done: Archived[] = []
  const status = statusLine(io)
  const stored = new Set((await store.sessions()).map(({ id }) => id))
  const known = new Map(
    index
      .all('SELECT place, stamp, session FROM archived')
      .filter((row) => stored.has(String(row['session'])))
      .map((row) => [String(row['place']), String(row['stamp'])]),
  )
  try {
    // The oldest first: a copy of a session comes after what it was copied from.
    for (const found of sessions.toReversed()) {
      await status.show((columns) =>
        clipColumns(
          `archiving ${bar(done.length / sessions.length, 20)}  ${withThousands(done.length)} of ${counted(sessions.length, 'session')}`,
          columns,
        ),
      )
      await takeTurn(io)
      const { place, stamp } = stateOf(found)
      if (known.get(place) === stamp) {
        done.push({ type: 'same' })
        continue
      }
      const archived = await archive(found, store, io)
      done.push(archived)
      if (archived.type !== 'done') continue
      const sql = 'INSERT OR REPLACE INTO archived (place, stamp, session) VALUES (?, ?, ?)'
      await index.write(() => void index.run(sql, place, stamp, archived.session))
    }
  } catch (error) {
    if (!io.signal.aborted) throw error
    const count = done.filter(({ type }) => type === 'done').length
    throw new InterruptedError(
      `interrupted; ${counted(count, 'session')} of ${withThousands(sessions.length)} were archived. Run it again for the rest.`,
    )
  } finally {
    await status.clear()
  }
  return done
}

async function archive(found: FoundSession, store: Store, io: Io): Promise<Archived> {
  let read: SessionRead
  try {
    const source = takingTurns(readFound(found), io)
    const ledger = ledgerOf(io.env)
    read = await readSession(source, { formats: [found.harness.format], ...(ledger && { ledger }) })
  } catch (error) {
    if (io.signal.aborted) throw error
    const reason = error instanceof Error ? error.message : String(error)
    return { type: 'unread', file: found.file, reason }
  }
  if (!read.log.some(({ kind }) => kind === 'message')) return { type: 'silent' }
  const own = read.facts.id?.startsWith(found.id) ? read.facts.id : found.id
  const id = canBeTyped(own) ? own : found.id
  const source = sourceOf({ type: 'found', session: found }, io)
  const { session, imported } = await importAs(store, read, { id, source, signal: io.signal })
  const { added, known } = imported
  return { type: 'done', session, added, known, branch: session !== id }
}

const mostCopies = 99

/** A session that went back and on another way since it was archived gets a name of its own. */
async function importAs(
  store: Store,
  read: SessionRead,
  { id, ...options }: ImportOptions,
): Promise<{ session: string; imported: ImportedSession }> {
  for (let copy = 1; ; copy++) {
    const session = copy === 1 ? id : `${id}-${copy}`
    try {
      return { session, imported: await importSession(store, read, { id: session, ...options }) }
    } catch (error) {
      if (!(error instanceof ImportConflictError) || copy >= mostCopies) throw error
    }
  }
}

const mostNamed = 3

function resultOf(all: readonly Archived[], file: string, io: Io): Result {
  const done = all.filter((each) => each.type === 'done')
  const added = done.filter((each) => each.known === 0)
  const grown = done.filter((each) => each.known > 0 && each.added > 0)
  const unread = all.filter((each) => each.type === 'unread')
  const silent = all.filter(({ type }) => type === 'silent').length
  const same = all.length - added.length - grown.length - unread.length - silent
  const entries = done.reduce((sum, each) => sum + each.added, 0)
  const branches = done.filter(({ branch, added }) => branch && added > 0)
  const parts = [
    ...(added.length > 0 ? [`${counted(added.length, 'session')} added`] : []),
    ...(grown.length > 0 ? [`${withThousands(grown.length)} grown`] : []),
    ...(same > 0 ? [`${withThousands(same)} as before`] : []),
  ]
  const names = someNames(
    branches.map(({ session }) => shownName(session)),
    mostNamed,
  )
  return {
    json: {
      store: file,
      sessions: done.map(({ session, added, known }) => ({ session, added, known })),
      same,
      silent,
      unread: unread.map(({ file, reason }) => ({ file, reason })),
    },
    lines: [
      entries === 0
        ? `Nothing new: ${counted(same, 'session')} looked at, all of them in ${shownStore(file, io)}.`
        : `Archived in ${shownStore(file, io)}: ${parts.join(', ')}; ${counted(entries, 'new entry', 'new entries')}.`,
      branches.length > 0
        ? `Went another way since they were archived, and were added by themselves: ${names}.`
        : undefined,
      silent > 0
        ? `Left out, because nothing was said in them: ${counted(silent, 'session')}.`
        : undefined,
      ...unreadableLines(unread, io, io.stdout.columns()),
      'To see them: throughline list --stored. To find something in them: throughline search WORDS',
    ],
  }
}
