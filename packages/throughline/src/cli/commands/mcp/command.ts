import { recallServer } from '../../../integrations/mcp/recall-server.ts'
import { serve } from '../../../integrations/mcp/serve.ts'
import { configOptions, storeOption, configurationFor } from '../../configuration.ts'
import { ClosedPipeError, exitCodes, codeOf, CommandError } from '../../errors.ts'
import { explainError } from '../../explain-error.ts'
import { packageVersion } from '../../version.ts'
import { argument } from '../../command.ts'
import { anySession, oneSession } from '../../../integrations/mcp/recall-source.ts'
import { foundName } from '../../source/session-found.ts'
import { usage } from '../../parse-arguments.ts'
import { shownPath, pathFrom } from '../../paths.ts'
import { chooseSession } from '../../source/choose-session.ts'
import { isThere, knownStoreFile } from '../../store/open-store.ts'
import { shownName } from '../../store/shown-name.ts'
import { findSourceFor } from '../../source/find-source.ts'
import { stat } from 'node:fs/promises'
import { memoryStore } from '../../../stores/memory.ts'
import { cannotRead } from '../../source/open-session.ts'
import { readOutside } from '../../source/read-session.ts'
import type { Channel } from '../../../integrations/mcp/serve.ts'
import type { Command, ParsedArguments } from '../../command.ts'
import type { Io } from '../../io.ts'
import type { RecallSource, StoredIn } from '../../../integrations/mcp/recall-source.ts'
import type { SessionOutside } from '../../source/choose-session.ts'
import type { FindSource } from '../../../session/recall/follow-ref.ts'
import type { Configuration } from '../../../config/load-config.ts'

/** The sessions that a server answers for, and their name for the user. */
interface ChosenSource {
  source: RecallSource
  name: string
  close: () => void
}

/**
 * The requested session, resolved as in every other command; without one, any session in the store.
 * @throws UsageError, CommandError
 */
async function chooseSource(parsed: ParsedArguments, io: Io): Promise<ChosenSource> {
  const word = argument(parsed, 'session')
  if (word === '-') {
    throw usage('mcp', 'the client uses standard input: give the path of a session file')
  }
  const configuration = await configurationFor('mcp', parsed, io)
  if (word === '') return wholeStore(configuration)
  const chosen = await chooseSession(word, configuration, io)
  if (chosen.type !== 'stored') {
    const source = await changingSession(chosen, io, findSourceFor(configuration, io))
    return { source, name: nameOf(chosen), close: () => {} }
  }
  const { session, file } = chosen
  const { store, close } = await openStore(file)
  const name = `session ${shownName(session.id)} in ${shownPath(file)}`
  return { source: oneSession(store, session.id), name, close }
}

async function wholeStore(configuration: Configuration): Promise<ChosenSource> {
  const file = knownStoreFile(configuration)
  if (file === undefined || !(await isThere(file))) throw noStore(file)
  const { store, close } = await openStore(file)
  return { source: anySession(store), name: shownPath(file), close }
}

async function openStore(file: string) {
  const { sqliteStore } = await import('../../../stores/sqlite/index.ts')
  const store = sqliteStore({ file })
  return { store, close: store.close }
}

function nameOf(chosen: SessionOutside): string {
  return chosen.type === 'file' ? shownPath(chosen.path) : foundName(chosen.session)
}

function noStore(file: string | undefined): CommandError {
  const at = file === undefined ? 'none is configured' : `none at ${shownPath(file)}`
  return new CommandError(
    `there is no session store: ${at}. Name a session by its file or by an id from throughline list, or use --store FILE.`,
  )
}

const session = 'session'

/**
 * A session that its client keeps writing to. It is read again when its file has changed. If that
 * fails, the earlier content stays in use, and standard error says why.
 * @throws CommandError if the first read fails.
 */
export async function changingSession(
  chosen: SessionOutside,
  io: Io,
  find?: FindSource,
): Promise<RecallSource> {
  let stamp = await stampOf(chosen, io)
  let found = { ...(await readInto(chosen, io)), ...(find && { find }) }
  return {
    choice: 'one',
    async find() {
      try {
        const now = await stampOf(chosen, io)
        if (now === stamp) return found
        found = { ...(await readInto(chosen, io)), ...(find && { find }) }
        stamp = now
      } catch (error) {
        await explainError(error, io)
      }
      return found
    },
  }
}

async function readInto(chosen: SessionOutside, io: Io): Promise<StoredIn> {
  const { log } = await readOutside(chosen, io, { quiet: true })
  const store = memoryStore()
  await store.append(session, log)
  return { store, session }
}

/** Changes after every modification. */
async function stampOf(chosen: SessionOutside, { cwd }: Io): Promise<string> {
  const path = chosen.type === 'file' ? chosen.path : chosen.session.file
  try {
    return [await stampOfFile(pathFrom(cwd, path)), await stampOfLog(chosen)].join()
  } catch (cause) {
    throw new CommandError(cannotRead(path, cause), { cause })
  }
}

async function stampOfFile(file: string): Promise<string> {
  const { ino, size, mtimeNs } = await stat(file, { bigint: true })
  return [ino, size, mtimeNs].join()
}

/** New data of a database is first in a file next to it. */
async function stampOfLog(chosen: SessionOutside): Promise<string> {
  if (chosen.type === 'file' || chosen.session.type !== 'database') return ''
  return stampOfFile(`${chosen.session.file}-wal`).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return ''
    throw error
  })
}

export const mcpCommand: Command = {
  name: 'mcp',
  description: [
    'An MCP server with one tool, recall. The agent reads back anything that was said, read or printed in a session, word for word: by ref, by path or by words. <session> is a client’s file or an id from throughline list (both are read again when they change), or a stored session. latest is the session that is newest when the server starts. Without a session, the agent may name any session in the store; the default is the most recently modified one.',
    'An agent starts this command itself; docs/recall.md shows the lines for its configuration.',
  ],
  arguments: [
    {
      name: 'session',
      give: 'the path of its file, an id from throughline list, or its name in the store',
      optional: true,
    },
  ],
  options: [storeOption, ...configOptions],
  examples: [
    { command: 'throughline mcp session.jsonl', does: 'Answer for the session in this file.' },
    {
      command: 'throughline mcp claude:latest',
      does: 'Answer for the newest Claude Code session.',
    },
    {
      command: 'throughline mcp --store sessions.db',
      does: 'Answer for every session in this store, by default the newest.',
    },
  ],
  run: runMcp,
}

async function runMcp(parsed: ParsedArguments, io: Io): Promise<number> {
  const { source, name, close } = await chooseSource(parsed, io)
  const onError = (error: unknown): void => void explainError(error, io)
  const server = recallServer({ source, version: packageVersion, onError })
  await io.stderr.write(`throughline: answering an MCP client for ${name}; Ctrl-C ends it.\n`)
  try {
    await serve(server, channelOf(io))
  } catch (error) {
    // Ctrl-C stops the reading.
    if (!io.signal.aborted) throw error
  } finally {
    close()
  }
  return exitCodes.done
}

/** When the client is gone, there is nobody left to answer; our side of the channel ends, too. */
function channelOf({ stdin, stdout }: Io): Channel {
  return {
    chunks: stdin.chunks(),
    async write(text) {
      try {
        await stdout.write(text)
      } catch (error) {
        if (!(error instanceof ClosedPipeError)) throw error
      }
    },
  }
}
