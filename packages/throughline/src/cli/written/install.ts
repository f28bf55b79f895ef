import { foldersOf, pathForReader } from '../../config/folders.ts'
import { handOver } from '../../formats/handoff/hand-over.ts'
import { writtenSession } from '../../formats/writing/written-session.ts'
import { surroundingsOf } from '../../harnesses/find-program.ts'
import { installSession, type InstalledSession } from '../../harnesses/install/install-session.ts'
import { sanitizeLine } from '../../log/sanitize.ts'
import { CommandError, InterruptedError } from '../errors.ts'
import { installableClients } from '../installed/clients.ts'
import { readLedger } from '../installed/ledger.ts'
import { placeOf } from '../installed/place.ts'
import { shownPath } from '../paths.ts'
import { whileWriting } from '../terminal/status-line.ts'
import type { WrittenFile, WrittenSession } from '../../formats/writing/format-writer.ts'
import type { Harness } from '../../formats/writing/harness.ts'
import type { CompactedLog } from '../../session/once/compact-log.ts'
import type { RealCounter } from '../sizes/real-counter.ts'
import type { SessionInput } from '../source/read-session.ts'
import type { Fact } from '../terminal/table.ts'
import type { Io } from '../io.ts'
import type { Handover } from './handover.ts'

/** What the new session begins with, made from a compacted one. */
export function sessionFor(
  { format, facts, source }: Pick<SessionInput, 'format' | 'facts' | 'source'>,
  { log }: Pick<CompactedLog, 'log'>,
  { destination, tools }: Handover,
): WrittenSession {
  const session = writtenSession(log, facts, source)
  return tools === 'handed over' ? handOver(session, format, destination.name) : session
}

export function writtenTokens({ summary, messages }: WrittenSession, counter: RealCounter): number {
  const block = summary === undefined ? 0 : counter.text(summary)
  const sum = messages.reduce((total, { message }) => total + counter.message(message), block)
  return Math.ceil(sum)
}

/**
 * Installs a written session in its harness while a line in the terminal says so.
 * @throws InstallError, InterruptedError
 */
export async function install(
  written: WrittenFile,
  { harness, handover }: { harness: Harness; handover: Handover },
  io: Io,
): Promise<InstalledSession> {
  const { path, data } = foldersOf(io.env)
  if (data === undefined) {
    throw new CommandError(
      'it is not known where to put the session, because no home directory is set.',
    )
  }
  const { destination, directory, directoryFrom } = handover
  const options = {
    surroundings: surroundingsOf(io.env),
    directory,
    directoryFrom,
    folder: path.join(data, 'written'),
    now: Date.now(),
    signal: io.signal,
  }
  try {
    return await whileWriting(io, `installing for ${destination.label}`, () =>
      installSession(harness, written, options),
    )
  } catch (error) {
    if (!io.signal.aborted || error instanceof InterruptedError) throw error
    throw new InterruptedError(`interrupted; ${destination.label} may have a part of the session.`)
  }
}

/** In tokens. */
export interface InstalledSizes {
  /** Of the messages alone. */
  before: number
  after: number
  /** Of the request before, with all that is not messages; `null` where no provider counted it. */
  counted: number | null
}

export function installJson(
  session: string,
  { how, file, resume }: InstalledSession,
  { destination, directory }: Handover,
  tokens: InstalledSizes,
) {
  const { name: harness } = destination
  const place = { how, file: file ?? null, directory, commands: resume }
  return { version: 1, harness, session, ...place, tokens }
}

/** What happened to an installed session. */
export function installFacts(
  { how, file }: InstalledSession,
  { destination, directory }: Handover,
  io: Io,
): Fact[] {
  const shown = (path: string): string => shownPath(pathForReader(path, foldersOf(io.env), io.cwd))
  return [
    [how === 'waiting' ? 'written to' : 'installed', file ? shown(file) : `by ${destination.name}`],
    ['continues', `in ${destination.label}, in ${shown(directory)}`],
  ]
}

/** How what was cut is read back in the client. */
export function recallLine({ destination }: Handover, { env }: Io): string {
  const toRecall = 'To let its agent read back what was cut'
  const client = installableClients.find(({ name }) => name === destination.name)
  if (!client) return `${toRecall}, add the MCP server "throughline mcp" to ${destination.label}.`
  return readLedger(placeOf(env)).clients[client.name]
    ? `Its agent reads back what was cut: Throughline is installed in ${client.label}.`
    : `${toRecall}: throughline install ${client.word}`
}

/** Prints the commands that continue an installed session, with a line before them. */
export async function printCommands(
  { how, resume }: InstalledSession,
  { destination, directory, directoryFrom }: Handover,
  io: Io,
  missing?: string,
): Promise<void> {
  const notOnPath = (program: string): string =>
    `${program} is not on the PATH. Where it is installed, run:`
  const notImported =
    directoryFrom === 'session'
      ? `${destination.name} loads files from the directory that the session names. Import it there yourself, or name a directory with --directory:`
      : notOnPath(destination.name)
  const line = how === 'waiting' ? notImported : 'To resume it:'
  await io.stderr.write(`${missing === undefined ? line : notOnPath(missing)}\n`)
  await io.stdout.write(`${shownCommands(resume, directory, io.cwd).join('\n')}\n`)
}

/** Commands in the form that a shell accepts; the first one changes to their directory. */
function shownCommands(
  commands: readonly (readonly string[])[],
  directory: string,
  cwd: string,
): string[] {
  const lines = commands.map((words) => words.map(quoted).join(' '))
  const change = directory === cwd ? '' : `cd ${quoted(directory)} && `
  return lines.map((line, index) => sanitizeLine(index === 0 ? `${change}${line}` : line))
}

function quoted(word: string): string {
  if (process.platform === 'win32') {
    return /^[\w@+=:,./\\-]+$/.test(word) ? word : `"${word.replaceAll('"', '')}"`
  }
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
