import { confirmed } from '../store/confirm.ts'
import { configurationFor } from '../configuration.ts'
import { CommandError, exitCodes, explainError } from '../errors.ts'
import { findSession } from '../store/find-session.ts'
import { inStore } from '../store/open-store.ts'
import { jsonOption, storedSessionArgument, storeOptions, yesOption } from '../shared-options.ts'
import { forgetSearched } from '../store/search-file.ts'
import { printResult, type Result } from '../store/result.ts'
import { shownName } from '../store/session-name.ts'
import { whileWriting } from '../terminal/status-line.ts'
import { counted } from '../terminal/numbers.ts'
import { restOf, type Command, type ParsedArguments } from '../command.ts'
import type { Store, StoredSession } from '../../session/store.ts'
import type { Io } from '../io.ts'

export const deleteCommand: Command = {
  name: 'delete',
  description: [
    'Removes every trace of the session from the store. Only an export or its client’s own file can bring it back. The command asks for confirmation first, once for all sessions that you name.',
  ],
  arguments: [{ ...storedSessionArgument, rest: true }],
  options: { ...yesOption, ...jsonOption, ...storeOptions },
  examples: {
    'throughline delete made --yes': 'Delete it without confirmation, as scripts need.',
  },
  run: runDelete,
}

async function runDelete(parsed: ParsedArguments, io: Io): Promise<number> {
  const configuration = await configurationFor('delete', parsed, io)
  const words = restOf(parsed, 'session')
  // The store is closed while the user is asked.
  const found = await inStore(configuration, io, (store) => findAll(store, words, io))
  const question = `Delete ${namesOf(found.sessions)}, for good?`
  const isWanted = found.sessions.length > 0
  if (isWanted && !(await confirmed('delete', question, parsed, io))) return exitCodes.failed
  for (const error of found.errors) await explainError(error, io)
  if (!isWanted) return exitCodes.failed
  forgetSearched(configuration)
  const results: Result[] = []
  for (const { id, newest } of found.sessions) {
    const name = shownName(id)
    await inStore(configuration, io, (store) =>
      whileWriting(io, `deleting ${name}`, () => store.remove(id)),
    )
    const json = { session: id, deleted: newest }
    results.push({ json, lines: [`Deleted ${name}, ${entriesOf(newest)}.`] })
  }
  const [only] = results
  const whole = {
    json: {
      sessions: results.map(({ json }) => json),
      failed: found.errors.map(({ message }) => ({ message })),
    },
    lines: results.flatMap(({ lines }) => lines),
  }
  await printResult(only && words.length === 1 ? only : whole, parsed, io)
  return found.errors.length > 0 ? exitCodes.failed : exitCodes.done
}

/** The sessions that the words name, each once. One word that names none does not stop the others. */
async function findAll(store: Store, words: readonly string[], io: Io) {
  const sessions = new Map<string, StoredSession>()
  const errors: CommandError[] = []
  for (const word of words) {
    try {
      const session = await findSession(store, word, io)
      sessions.set(session.id, session)
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      errors.push(error)
    }
  }
  return { sessions: [...sessions.values()], errors }
}

function namesOf(sessions: readonly StoredSession[]): string {
  const names = sessions.map(({ id }) => shownName(id))
  const entries = entriesOf(sessions.reduce((sum, { newest }) => sum + newest, 0))
  if (names.length === 1) return `session ${names[0]}, ${entries}`
  return `${names.length} sessions (${names.join(', ')}), together ${entries}`
}

function entriesOf(count: number): string {
  return counted(count, 'entry', 'entries')
}
