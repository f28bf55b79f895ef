import { setTimeout } from 'node:timers/promises'
import {
  callingSessions,
  type CallingSessions,
} from '../../../harnesses/calling/calling-sessions.ts'
import { isInProject } from '../../../harnesses/calling/project.ts'
import { surroundingsOf } from '../../../harnesses/find-program.ts'
import { storedFacts } from '../../../formats/stored/facts.ts'
import { sqliteStore, type SqliteStore } from '../../../stores/sqlite/index.ts'
import { shownPath } from '../../paths.ts'
import { findSourceFor } from '../../source/find-source.ts'
import { foundName } from '../../source/session-found.ts'
import { isThere, isUnusable, knownStoreFile } from '../../store/open-store.ts'
import { changingSession } from './changing-session.ts'
import type { Asker, RecallSource, StoredIn } from '../../../integrations/mcp/recall-source.ts'
import type { Configuration } from '../../../config/load-config.ts'
import type { FoundSession } from '../../../harnesses/found-session.ts'
import type { StoredSession } from '../../../session/store.ts'
import type { Io } from '../../io.ts'

// Sessions that were read stay in memory: the client's own, and one that it asked for besides.
const mostRead = 2
// Of a large store, only the newest sessions are looked into.
const mostStored = 200

/**
 * The sessions of one project: that of the client that started the server, which need not exist
 * yet, and by their ids the others, in the storage of harnesses and in the store.
 */
export function projectSource(
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
