import { UnreadableSessionError } from '../../../../harnesses/errors.ts'
import { previewSession } from '../../../../harnesses/preview/preview-session.ts'
import { argument, type ParsedArguments } from '../../../command.ts'
import { configurationFor } from '../../../configuration.ts'
import { exitCodes, InterruptedError } from '../../../errors.ts'
import { printAnswer } from '../../../output/print-answer.ts'
import { tellIfReadable } from '../../../output/readable-by-others.ts'
import { targetAt } from '../../../output/target.ts'
import { writeTarget } from '../../../output/write-file.ts'
import { usage } from '../../../parse-arguments.ts'
import { filtersIn, isIn } from '../../../source/filters.ts'
import { findFound } from '../../../source/find-found.ts'
import { shownName } from '../../../store/session-name.ts'
import { screenOf, type Screen } from '../../../terminal/colour.ts'
import { takeTurn } from '../../../terminal/turn.ts'
import { pageAsset, pageWith } from '../page.ts'
import { machineLines, machineHeadLines } from './machine-lines.ts'
import {
  type MachineReport,
  digestOf,
  type MachineSession,
  type SessionDigest,
} from '../../../../report/machine.ts'
import type { FoundSession, Unreadable } from '../../../../harnesses/found-session.ts'
import type { Io } from '../../../io.ts'
import { createHash } from 'node:crypto'
import { sanitizeLine } from '../../../../log/sanitize.ts'
import { ThroughlineError } from '../../../../log/throughline-error.ts'
import { readFoundInput } from '../../../source/read-session.ts'
import { foundName, isSaid, stateOf } from '../../../source/session-found.ts'
import { cacheFor, type IndexFile } from '../../../store/search-file.ts'
import { clipColumns } from '../../../terminal/columns.ts'
import { withThousands } from '../../../terminal/numbers.ts'
import { statusLine } from '../../../terminal/status-line.ts'
import { packageVersion } from '../../../version.ts'
import { reportFor } from '../report-for.ts'
import type { Configuration } from '../../../../config/load-config.ts'

const usualName = 'throughline-sessions.html'

/** One page, text or object about all sessions of this machine. */
export async function runAll(parsed: ParsedArguments, io: Io): Promise<number> {
  const { flags, values } = parsed
  const [form, other] = (['text', 'json'] as const).filter((name) => flags.has(name))
  const named = values.get('output')
  if (argument(parsed, 'session') !== '')
    throw usage('report', '--all reads all sessions: name none')
  if (other) throw usage('report', 'use --text or --json, not both')
  if (form && named !== undefined) {
    throw usage('report', `--${form} prints to standard output: omit -o`)
  }
  const filters = filtersIn('report', parsed, io, Date.now())
  const configuration = await configurationFor('report', parsed, io)
  // A missing page is reported before any work is done for it.
  const asset = form ? '' : await pageAsset()
  const isPrinted = named === '-' || (named === undefined && !io.stdout.isTerminal)
  const target = form || isPrinted ? undefined : await targetAt(named ?? usualName, [], io.cwd)
  const { sessions: all, unreadable } = await findFound(filters.harnesses, io)
  const wanted = await chosenFrom(all, filters, io)
  const digested = await digestsOf(wanted, configuration, io)
  const machine: MachineReport = {
    version: 1,
    made: Date.now(),
    sessions: digested.sessions,
    unreadable: [...unreadable, ...digested.unreadable],
  }
  if (form) {
    const lines = (screen: Screen): string[] => machineLines(machine, screen)
    return printAnswer({ json: () => machine, lines }, parsed, io)
  }
  const page = pageWith(asset, { machine })
  if (!target) {
    await io.stdout.write(page)
    return exitCodes.done
  }
  await writeTarget(target, page)
  await tellIfReadable(target.path, io)
  const head = machineHeadLines(machine, screenOf(io.stderr, io.env))
  const open = `Open ${shownName(target.name)} in a browser.`
  await io.stderr.write(`${[...head, open].join('\n')}\n`)
  return exitCodes.done
}

/** Sessions written since, that worked in these directories. */
async function chosenFrom(
  sessions: readonly FoundSession[],
  { since, directories }: Pick<ReturnType<typeof filtersIn>, 'since' | 'directories'>,
  io: Io,
): Promise<FoundSession[]> {
  const recent = sessions.filter(({ at }) => since === undefined || at >= since)
  if (directories.length === 0) return recent
  const chosen: FoundSession[] = []
  for (const found of recent) {
    await takeTurn(io)
    try {
      const { directory } = await previewSession(found)
      if (isIn(directory, directories)) chosen.push(found)
    } catch (error) {
      if (!UnreadableSessionError.isInstance(error)) throw error
    }
  }
  return chosen
}

interface Digested {
  sessions: MachineSession[]
  unreadable: Unreadable[]
}

/**
 * The digests of sessions. Each session is read once, and again when it or the configuration has
 * changed; its digest is kept next to the store.
 * @throws InterruptedError; the digests that were made until then are kept.
 */
async function digestsOf(
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
