import { ImportConflictError } from '../../formats/stored/errors.ts'
import { importSession, type ImportedSession } from '../../formats/stored/import-session.ts'
import { configurationFor } from '../config/options.ts'
import { CommandError } from '../errors.ts'
import { foundName } from '../found/found-name.ts'
import { pathFrom } from '../path-from.ts'
import { skippedText } from '../skipped-text.ts'
import { chooseOutside, type SessionOutside } from '../store/choose-session.ts'
import { inNewStore, shownStore } from '../store/open-store.ts'
import { jsonOption, storeOptions } from '../store/options.ts'
import { readOutside } from '../store/read-session.ts'
import { printResult } from '../store/result.ts'
import { shownName } from '../store/shown-name.ts'
import { counted } from '../terminal/numbers.ts'
import { whileWriting } from '../store/while-writing.ts'
import { lostText } from './lost-text.ts'
import { sessionName } from './session-name.ts'
import { argument, type Command, type ParsedArguments } from '../command.ts'
import type { Io } from '../io.ts'

export const importCommand: Command = {
  name: 'import',
  group: 'Sessions in the store',
  summary: 'Put a session into the store, or add what is new of it.',
  description: [
    'Reads the session of any client that is known, or what throughline export wrote, and keeps it in the store: every message as it was, with the system prompt, model, window and directory that its file tells. The entries have the same refs as in the file. The file itself is left alone.',
    'A session that is in the store already gets only what is new of it since. If the two have gone different ways, nothing is changed.',
  ],
  arguments: [
    {
      name: 'session',
      give: 'the path of its file, - for standard input, or an id that throughline list shows',
    },
  ],
  options: [
    {
      name: 'as',
      value: 'NAME',
      help: 'The name that it has in the store. Default: the id that its client gave it, else the name of its file.',
    },
    jsonOption,
    ...storeOptions,
  ],
  examples: [
    { command: 'throughline import session.jsonl', does: 'Keep the session in the store.' },
    {
      command: 'throughline import session.jsonl --as parser-work',
      does: 'The same under a name of your own.',
    },
    {
      command: 'throughline import latest',
      does: 'Keep the newest session of all harnesses on this machine.',
    },
    {
      command: 'throughline import - --as copy < session.jsonl',
      does: 'Read it from standard input.',
    },
  ],
  run: runImport,
}

async function runImport(parsed: ParsedArguments, io: Io): Promise<number> {
  const word = argument(parsed, 'session')
  const configuration = await configurationFor('import', parsed, io)
  const chosen = (await chooseOutside(word, io)) ?? { type: 'file', path: word }
  const session = await readOutside(chosen, io)
  const id = sessionName(parsed.values.get('as'), session.facts.id, chosen)
  const source = sourceOf(chosen, io)
  const { done, file } = await inNewStore(configuration, io, async (store) => ({
    done: await whileWriting(io, `storing ${session.name}`, () =>
      importSession(store, session, { id, source }),
    ).catch((error: unknown) => {
      throw explained(error, id)
    }),
    file: store.file,
  }))
  const { format, facts, skipped, skippedCount } = session
  const json = {
    session: id,
    store: file,
    added: done.added,
    known: done.known,
    replaced: done.replaced,
    format,
    model: facts.model ?? null,
    omitted: facts.omitted ?? {},
    skipped: { count: skippedCount, lines: skipped },
  }
  const lines = [
    headline(id, done, shownStore(file, io)),
    skippedText(session),
    lostText(session),
    done.known === 0 ? nextText(id) : undefined,
  ]
  return printResult({ json, lines }, parsed, io)
}

/** Where it comes from, as is noted of it. */
function sourceOf(chosen: SessionOutside, { cwd }: Io): string {
  if (chosen.type === 'found') {
    const { session } = chosen
    if (session.type === 'database') return `${foundName(session)} in ${session.file}`
    return session.file
  }
  return chosen.path === '-' ? 'standard input' : pathFrom(cwd, chosen.path)
}

function headline(id: string, { added, known, replaced }: ImportedSession, store: string): string {
  const name = shownName(id)
  if (added === 0)
    return `Nothing new: ${name} is in ${store} already, ${counted(known, 'entry', 'entries')}.`
  const entries = counted(added, 'entry', 'entries')
  if (known === 0) return `Imported ${name}: ${entries}, into ${store}.`
  const half = replaced ? ' Its newest step had been half written, and was taken back first.' : ''
  return `Added ${counted(added, 'new entry', 'new entries')} to ${name}, which had ${counted(known, 'entry', 'entries')} of this file.${half}`
}

function nextText(id: string): string {
  return `See it with: throughline show ${shownName(id)}`
}

function explained(error: unknown, id: string): unknown {
  if (!(error instanceof ImportConflictError)) return error
  return new CommandError(`${error.message} For example: --as ${shownName(`${id}-2`)}`, {
    cause: error,
  })
}
