import { createHash } from 'node:crypto'
import { previewSession } from '../../../../harnesses/preview/preview-session.ts'
import { sanitizeLine } from '../../../../log/sanitize.ts'
import { ThroughlineError } from '../../../../log/throughline-error.ts'
import { digestOf, type MachineSession, type SessionDigest } from '../../../../report/machine.ts'
import { InterruptedError } from '../../../errors.ts'
import { readFoundInput } from '../../../source/read-session.ts'
import { foundName, isSaid, stateOf } from '../../../source/session-found.ts'
import { cacheFor, type IndexFile } from '../../../store/search-file.ts'
import { clipColumns } from '../../../terminal/columns.ts'
import { withThousands } from '../../../terminal/numbers.ts'
import { statusLine } from '../../../terminal/status-line.ts'
import { takeTurn } from '../../../terminal/turn.ts'
import { packageVersion } from '../../../version.ts'
import { reportFor } from '../report-for.ts'
import type { Configuration } from '../../../../config/load-config.ts'
import type { FoundSession, Unreadable } from '../../../../harnesses/found-session.ts'
import type { Io } from '../../../io.ts'

interface Digested {
  sessions: MachineSession[]
  unreadable: Unreadable[]
}

/**
 * The digests of sessions. Each session is read once, and again when it or the configuration has
 * changed; its digest is kept next to the store.
 * @throws InterruptedError; the digests that were made until then are kept.
 */
export async function digestsOf(
  found: readonly FoundSession[],
  configuration: Configuration,
  io: Io,
): Promise<Digested> {
  const index = cacheFor(configuration, { make: true })
  const status = statusLine(io)
  const digested: Digested = { sessions: [], unreadable: [] }
  const settings = settingsStamp(configuration)
  try {
    for (const [number, session] of found.entries()) {
      const state = stateOf(session)
      const stamp = `${state.stamp} ${settings}`
      const known = digestIn(index, state.place, stamp)
      if (known === undefined) {
        await status.show((columns) => progressText(number, found.length, columns))
        await takeTurn(io)
      }
      const digest = known ?? (await madeDigest(session, configuration, io))
      if (known === undefined) remember(index, state.place, stamp, digest)
      if ('reason' in digest) {
        digested.unreadable.push({ file: session.file, reason: digest.reason })
      } else if (!('empty' in digest)) {
        digested.sessions.push({
          ...digest,
          name: foundName(session),
          client: session.harness.name,
          written: Math.floor(session.at),
        })
      }
    }
  } catch (error) {
    if (!io.signal.aborted) throw error
    throw new InterruptedError(
      'interrupted; no page was written. The sessions that were read need not be read again.',
    )
  } finally {
    await status.clear()
    index?.close()
  }
  return digested
}

function progressText(number: number, all: number, columns: number): string {
  const text = `reading each session once  ${withThousands(number)}/${withThousands(all)}`
  return clipColumns(text, columns)
}

/** A session in which nothing was said has no digest. */
type Digest = SessionDigest | { reason: string } | { empty: true }

async function madeDigest(
  found: FoundSession,
  configuration: Configuration,
  io: Io,
): Promise<Digest> {
  try {
    if (!isSaid(await previewSession(found))) return { empty: true }
    const session = await readFoundInput(found, io, { quiet: true })
    const request = { window: undefined, prices: undefined }
    const chosen = { type: 'found', session: found } as const
    const { model } = await reportFor(session, chosen, { request, configuration, io })
    return digestOf(model)
  } catch (error) {
    if (io.signal.aborted || !ThroughlineError.isInstance(error)) throw error
    // One sentence: the remedy for a single session is shown when it is opened.
    const [sentence = ''] = error.message.split('. ', 1)
    return { reason: sanitizeLine(sentence) }
  }
}

/** Digests of another version, or made with other windows and prices, are made again. */
function settingsStamp({ settings }: Configuration): string {
  const hash = createHash('sha256').update(JSON.stringify(settings))
  return `${packageVersion} ${hash.digest('hex').slice(0, 16)}`
}

function digestIn(index: IndexFile | undefined, place: string, stamp: string): Digest | undefined {
  const sql = 'SELECT digest FROM digests WHERE place = ? AND stamp = ?'
  const row = index?.all(sql, place, stamp)[0]
  return row && (JSON.parse(String(row['digest'])) as Digest)
}

function remember(
  index: IndexFile | undefined,
  place: string,
  stamp: string,
  digest: Digest,
): void {
  const sql = 'INSERT OR REPLACE INTO digests (place, stamp, digest) VALUES (?, ?, ?)'
  try {
    index?.run(sql, place, stamp, JSON.stringify(digest))
  } catch {
    // Another process writes to it; next time is early enough.
  }
}
