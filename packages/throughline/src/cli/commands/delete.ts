import { confirmed } from '../store/confirm.ts'
import { configurationFor } from '../configuration.ts'
import { exitCodes } from '../errors.ts'
import { findSession } from '../store/find-session.ts'
import { inStore } from '../store/open-store.ts'
import { jsonOption, storedSessionArgument, storeOptions, yesOption } from '../shared-options.ts'
import { forgetSearched } from '../store/search-file.ts'
import { printResult } from '../store/result.ts'
import { shownName } from '../store/session-name.ts'
import { whileWriting } from '../terminal/status-line.ts'
import { counted } from '../terminal/numbers.ts'
import { argument, type Command, type ParsedArguments } from '../command.ts'
import type { Io } from '../io.ts'

export const deleteCommand: Command = {
  name: 'delete',
  description: [
    'Removes every trace of the session from the store. Only an export or its client’s own file can bring it back. The command asks for confirmation first.',
  ],
  arguments: [storedSessionArgument],
  options: { ...yesOption, ...jsonOption, ...storeOptions },
  examples: {
    'throughline delete made --yes': 'Delete it without confirmation, as scripts need.',
  },
  run: runDelete,
}

async function runDelete(parsed: ParsedArguments, io: Io): Promise<number> {
  const configuration = await configurationFor('delete', parsed, io)
  // The store is closed while the user is asked.
  const { id, newest } = await inStore(configuration, io, (store) =>
    findSession(store, argument(parsed, 'session'), io),
  )
  const name = shownName(id)
  const entries = counted(newest, 'entry', 'entries')
  const question = `Delete session ${name}, ${entries}, for good?`
  if (!(await confirmed('delete', question, parsed, io))) return exitCodes.failed
  forgetSearched(configuration)
  await inStore(configuration, io, (store) =>
    whileWriting(io, `deleting ${name}`, () => store.remove(id)),
  )
  const json = { session: id, deleted: newest }
  return printResult({ json, lines: [`Deleted ${name}, ${entries}.`] }, parsed, io)
}
