import { recallServer, type ServedTool } from '../../../integrations/mcp/recall-server.ts'
import {
  oneSession,
  type RecallSource,
  type Asker,
  type StoredIn,
} from '../../../integrations/mcp/recall-source.ts'
import { serve, type Channel } from '../../../integrations/mcp/serve.ts'
import { realDirectory } from '../../../harnesses/install/directory-for.ts'
import { argument, type Command, type ParsedArguments } from '../../command.ts'
import { configOptions, ownConfigurationFor, storeOption } from '../../configuration.ts'
import { ClosedPipeError, CommandError, exitCodes, explainError } from '../../errors.ts'
import { usage } from '../../parse-arguments.ts'
import { pathFrom, shownPath } from '../../paths.ts'
import { chooseSession, type SessionOutside } from '../../source/choose-session.ts'
import { findSourceFor } from '../../source/find-source.ts'
import { foundName } from '../../source/session-found.ts'
import { shownName } from '../../store/session-name.ts'
import { askedTools } from '../../../clients/asked-tools.ts'
import { packageVersion } from '../../version.ts'
import { changingSession } from './changing-session.ts'
import type { Io } from '../../io.ts'
import { setTimeout } from 'node:timers/promises'
import {
  callingSessions,
  type CallingSessions,
} from '../../../harnesses/calling/calling-sessions.ts'
import { isInProject } from '../../../harnesses/calling/project.ts'
import { surroundingsOf } from '../../../harnesses/find-program.ts'
import { storedFacts } from '../../../formats/stored/facts.ts'
import { sqliteStore, type SqliteStore } from '../../../stores/sqlite/index.ts'
import { isThere, isUnusable, knownStoreFile } from '../../store/open-store.ts'
import type { Configuration } from '../../../config/load-config.ts'
import type { FoundSession } from '../../../harnesses/found-session.ts'
import type { StoredSession } from '../../../session/store.ts'

const hookClients: readonly string[] = ['claude-code', 'codex', 'qwen-code']

export const mcpCommand: Command = {
  name: 'mcp',
  description: [
    'Runs an MCP server with the tool recall. With this tool, the agent reads back anything that was said, read or printed in its session, word for word: by ref, by path or by words.',
    'Without <session>, it answers for the session of the client that started it, even if that session does not exist yet, and for other sessions of the same project, if the agent names one. It never answers for another project. With <session>, it answers for this one session only: a client’s file or an id from throughline list (both are read again when they change), or a stored session. latest is the session that is newest when the server starts.',
    'With --for, which throughline install writes, the agent may also pin a text and ask for a compaction. The client’s hooks do this at the next compaction.',
    'An agent starts this command itself; docs/recall.md shows the lines for its configuration.',
  ],
  arguments: [
    {
      name: 'session',
      give: 'the path of its file, an id from throughline list, or its name in the store',
      optional: true,
    },
  ],
  options: {
    '--directory DIR':
      'A directory of the project. Default: the one that the client names, else the working directory.',
    '--for CLIENT': `The client whose hooks do what its agent asks for: ${hookClients.join(', ')}.`,
    ...storeOption,
    ...configOptions,
  },
  examples: {
    'throughline mcp': 'Answer the client that starts it, for its own session and project.',
    'throughline mcp session.jsonl': 'Answer for the session in this file.',
    'throughline mcp claude:latest': 'Answer for the newest Claude Code session.',
  },
  run: runMcp,
}

/** @throws UsageError if no such client has hooks. */
function toolsFor({ values }: ParsedArguments, { env }: Io): ServedTool[] {
  const client = values.get('for')
  if (client === undefined) return []
  if (hookClients.includes(client)) return askedTools(client, env, Date.now)
  throw usage('mcp', `--for must be one of ${hookClients.join(', ')}`)
}

async function runMcp(parsed: ParsedArguments, io: Io): Promise<number> {
  const { source, name, close } = await chooseSource(parsed, io)
  const onError = (error: unknown): void => void explainError(error, io)
  const tools = toolsFor(parsed, io)
  const server = recallServer({ source, version: packageVersion, tools, onError })
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

/** When the client is gone, our side of the channel ends, too. */
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

/** The sessions that a server answers for, and their name for the user. */
export interface ChosenSource {
  source: RecallSource
  name: string
  close: () => void
}

/**
 * The requested session, resolved as in every other command; without one, the sessions of the
 * project, first of all that of the client that started the server.
 * @throws UsageError, CommandError
 */
async function chooseSource(parsed: ParsedArguments, io: Io): Promise<ChosenSource> {
  const word = argument(parsed, 'session')
  const asked = parsed.values.get('directory')
  if (word === '-') {
    throw usage('mcp', 'the client uses standard input: give the path of a session file')
  }
  if (word !== '' && asked !== undefined) {
    throw usage('mcp', '--directory names a project and the argument one session: use only one')
  }
  const configuration = await ownConfigurationFor('mcp', parsed, io)
  if (word === '') {
    const directory = asked === undefined ? io.cwd : await realDirectory(pathFrom(io.cwd, asked))
    if (directory !== undefined) return projectSource(directory, configuration, io)
    throw new CommandError(`--directory ${shownPath(asked ?? '')}: there is no such directory.`)
  }
  const chosen = await chooseSession(word, configuration, io)
  if (chosen.type !== 'stored') {
    const source = await changingSession(chosen, io, findSourceFor(configuration, io))
    return { source, name: nameOf(chosen), close: () => {} }
  }
  const { session, file } = chosen
  const { sqliteStore } = await import('../../../stores/sqlite/index.ts')
  const store = sqliteStore({ file })
  const name = `session ${shownName(session.id)} in ${shownPath(file)}`
  return { source: oneSession(store, session.id), name, close: store.close }
}

function nameOf(chosen: SessionOutside): string {
  return chosen.type === 'file' ? shownPath(chosen.path) : foundName(chosen.session)
}

// Sessions that were read stay in memory: the client's own, and one that it asked for besides.
const mostRead = 2
// Of a large store, only the newest sessions are looked into.
const mostStored = 200

/**
 * The sessions of one project: that of the client that started the server, which need not exist
 * yet, and by their ids the others, in the storage of harnesses and in the store.
 */
function projectSource(
  directory: string,
  configuration: Configuration,
  io: Io,
): { source: RecallSource; name: string; close: () => void } {
  const surroundings = surroundingsOf(io.env)
  const sessions = callingSessions({ surroundings, directory, now: Date.now, wait: setTimeout })
  const stored = storedSessions(configuration)
  const read = new Map<string, Promise<RecallSource>>()

  async function readFound(found: FoundSession, asker: Asker): Promise<StoredIn | undefined> {
    const key = `${found.file}\0${found.id}`
    let source = read.get(key)
    if (!source) {
      const find = findSourceFor(configuration, io, (directory) =>
        isInProject(directory, sessions.project(asker), surroundings),
      )
      source = changingSession({ type: 'found', session: found }, io, find)
      source.catch(() => read.delete(key))
    }
    // The newest last.
    read.delete(key)
    read.set(key, source)
    for (const old of [...read.keys()].slice(0, -mostRead)) read.delete(old)
    return (await source).find(undefined, asker)
  }

  /** The newest, or the one of this id; a client's own needs no directory. */
  async function findStored(
    id: string | undefined,
    asker: Asker,
    isOwn = false,
  ): Promise<(StoredIn & { at: number }) | undefined> {
    const store = await stored.open()
    if (!store) return undefined
    const project = sessions.project(asker)
    const all = await store.sessions()
    for (const session of id === undefined ? all.slice(0, mostStored) : withId(all, id)) {
      const isHere = async (): Promise<boolean> =>
        isInProject((await storedFacts(store, session)).directory, project, surroundings)
      if (!(isOwn || (await isHere()))) continue
      return { store, session: session.id, at: session.at }
    }
    return undefined
  }

  const source: RecallSource = {
    choice: 'project',
    async find(named, asker) {
      if (named !== undefined) {
        const found = await sessions.named(named, asker)
        return found ? readFound(found, asker) : findStored(named, asker)
      }
      const calling = await sessions.calling(asker)
      const { session: id, harness } = sessions.client(asker)
      // A client's session may be in the store alone; anybody else's is the newest of the project.
      const kept =
        calling && harness !== undefined
          ? undefined
          : await findStored(id, asker, id !== undefined).catch((error: unknown) => {
              if (calling && isUnusable(error)) return undefined
              throw error
            })
      if (!calling || (kept && kept.at > calling.session.at)) return kept
      const found = await readFound(calling.session, asker)
      return found && calling.others > 0 ? { ...found, note: noteOn(calling) } : found
    },
  }
  return { source, name: `the sessions of ${shownPath(directory)}`, close: stored.close }
}

function noteOn({ session, others }: NonNullable<Awaited<ReturnType<CallingSessions['calling']>>>) {
  const more = others === 1 ? 'one more session is' : `${others} more sessions are`
  return `[${more} at work in this project, and the client does not say which one asks. This is ${foundName(session)}, the newest. To ask another: session.]`
}

function withId(sessions: readonly StoredSession[], id: string): StoredSession[] {
  return sessions.filter((session) => session.id === id)
}

/** The store, opened when it is there for the first time. */
function storedSessions(configuration: Configuration) {
  let store: SqliteStore | undefined
  return {
    async open(): Promise<SqliteStore | undefined> {
      const file = knownStoreFile(configuration)
      if (!store && file !== undefined && (await isThere(file))) store = sqliteStore({ file })
      return store
    },
    close: () => store?.close(),
  }
}
