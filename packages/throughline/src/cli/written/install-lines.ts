import { foldersOf, pathForReader } from '../../config/folders.ts'
import { installableClients } from '../installed/clients.ts'
import { placeOf } from '../installed/place.ts'
import { readLedger } from '../installed/ledger.ts'
import { shownPath } from '../paths.ts'
import type { InstalledSession } from '../../harnesses/install/install-session.ts'
import type { Fact } from '../terminal/table.ts'
import type { Io } from '../io.ts'
import type { GoesTo } from './goes-to.ts'
import { sanitizeLine } from '../../log/sanitize.ts'

/** What happened to an installed session. */
export function installFacts(
  { how, file }: InstalledSession,
  { destination, directory }: GoesTo,
  io: Io,
): Fact[] {
  const shown = (path: string): string => shownPath(pathForReader(path, foldersOf(io.env), io.cwd))
  return [
    [how === 'waiting' ? 'written to' : 'installed', file ? shown(file) : `by ${destination.name}`],
    ['continues', `in ${destination.label}, in ${shown(directory)}`],
  ]
}

/** How what was cut is read back in the client. */
export function recallLine({ destination }: GoesTo, { env }: Io): string {
  const client = installableClients.find(({ name }) => name === destination.name)
  if (!client) return `${toRecall}, add the MCP server "throughline mcp" to ${destination.label}.`
  return readLedger(placeOf(env)).clients[client.name]
    ? `Its agent reads back what was cut: Throughline is installed in ${client.label}.`
    : `${toRecall}: throughline install ${client.word}`
}

const toRecall = 'To let its agent read back what was cut'

/** The remaining work: the text before the commands. */
export function beforeCommands(
  { how }: InstalledSession,
  { destination, directoryFrom }: GoesTo,
): string {
  if (how !== 'waiting') return 'To resume it:'
  const why =
    directoryFrom === 'session'
      ? `${destination.name} loads files from the directory that the session names. Import it there yourself, or name a directory with --directory:`
      : `${destination.name} is not on the PATH. Where it is installed, run:`
  return why
}

export function commandLines({ resume }: InstalledSession, goesTo: GoesTo, io: Io): string[] {
  return shownCommands(resume, goesTo.directory, io)
}

/** Commands in the form that a shell accepts; the first one changes to their directory. */
function shownCommands(
  commands: readonly (readonly string[])[],
  directory: string,
  { cwd, isWindows = process.platform === 'win32' }: { cwd: string; isWindows?: boolean },
): string[] {
  const lines = commands.map((words) => words.map((word) => quoted(word, isWindows)).join(' '))
  const there = directory === cwd ? '' : `cd ${quoted(directory, isWindows)} && `
  return lines.map((line, index) => sanitizeLine(index === 0 ? `${there}${line}` : line))
}

function quoted(word: string, isWindows: boolean): string {
  if (isWindows) return /^[\w@+=:,./\\-]+$/.test(word) ? word : `"${word.replaceAll('"', '')}"`
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
