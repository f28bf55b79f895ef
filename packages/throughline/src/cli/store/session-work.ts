import { configurationFor } from '../configuration.ts'
import { argument, type ParsedArguments } from '../command.ts'
import { findSession } from './find-session.ts'
import { inStore } from './open-store.ts'
import { printResult, type Result } from './result.ts'
import { whileWriting } from '../terminal/status-line.ts'
import type { Configuration } from '../../config/load-config.ts'
import { type Session, openSession } from '../../session/session.ts'
import type { StoredSession, Store } from '../../session/store.ts'
import type { SqliteStore } from '../../stores/sqlite/index.ts'
import type { Io } from '../io.ts'
import { storedFacts } from '../../formats/stored/facts.ts'
import { pluginsOf, policyOf, templateOf } from '../../config/policy-of.ts'
import { frameOf } from '../source/session-found.ts'
import { chooseWindow } from '../sizes/window-choice.ts'

/** A stored session, and everything that a command needs to work on it. */
export interface Found {
  store: SqliteStore
  stored: StoredSession
  configuration: Configuration
}

/** Runs a command's work on the stored session that its argument names, and prints what it did. */
export async function onSession(
  command: string,
  parsed: ParsedArguments,
  io: Io,
  work: (session: Session, found: Found) => Promise<Result>,
): Promise<number> {
  const configuration = await configurationFor(command, parsed, io)
  const result = await inStore(configuration, io, async (store) => {
    const stored = await findSession(store, argument(parsed, 'session'), io)
    // What it writes is one append: once it is asked for, it is done and told.
    return whileWriting(io, 'reading the session', async () => {
      const session = await io.endingInTurn(() => openStored(store, stored, configuration))
      return work(session, { store, stored, configuration })
    })
  })
  return printResult(result, parsed, io)
}

/** Opens a stored session with everything that its import noted and the configuration sets. */
async function openStored(
  store: Store,
  { id, newest }: Pick<StoredSession, 'id' | 'newest'>,
  configuration: Configuration,
): Promise<Session> {
  const facts = await storedFacts(store, { id, newest })
  const template = templateOf(configuration)
  return openSession({
    store,
    id,
    ...frameOf(facts),
    window: chooseWindow(undefined, facts, configuration).window,
    policy: policyOf(configuration, facts.model),
    plugins: pluginsOf(configuration),
    ...(template && { template }),
  })
}
