import { ImportConflictError } from '../../formats/stored/errors.ts'
import { importSession, type ImportedSession } from '../../formats/stored/import-session.ts'
import { configurationFor } from '../configuration.ts'
import { CommandError } from '../errors.ts'
import { foundName } from '../source/session-found.ts'
import { pathFrom } from '../paths.ts'
import { skippedText } from '../source/skipped-text.ts'
import { chooseOutside, type SessionOutside } from '../source/choose-session.ts'
import { inNewStore, shownStore } from '../store/open-store.ts'
import { jsonOption, storeOptions } from '../shared-options.ts'
import { readOutside } from '../source/read-session.ts'
import { printResult } from '../store/result.ts'
import { shownName } from '../store/shown-name.ts'
import { counted } from '../terminal/numbers.ts'
import { whileWriting } from '../terminal/while-showing.ts'
import { argument, type Command, type ParsedArguments } from '../command.ts'
import type { Io } from '../io.ts'
import { throughline } from '../../formats/throughline/format.ts'
import type { SessionInput } from '../source/read-input.ts'
import { basename, extname } from 'node:path'
import { usage } from '../parse-arguments.ts'
import { canBeTyped, checkedName } from '../store/checked-name.ts'

export const importCommand: Command = {
  name: 'import',
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

/** What an exported session has lost on its way; `undefined` if nothing. */
function lostText({ format, facts }: Pick<SessionInput, 'format' | 'facts'>): string | undefined {
  if (format !== throughline.name) return undefined
  const { damaged = 0, missing = 0 } = facts.omitted ?? {}
  const parts = [
    ...(damaged > 0 ? [`${counted(damaged, 'entry', 'entries')} damaged`] : []),
    ...(missing > 0 ? [`${counted(missing, 'entry', 'entries')} missing`] : []),
  ]
  if (parts.length === 0) return undefined
  return `The export is not whole: ${parts.join(', ')}. A note keeps the place of each that others follow.`
}

/**
 * The name that an imported session gets: what was asked for, else the harness's own id, else that
 * of its file. What nobody could type is passed over.
 * @throws UsageError
 */
function sessionName(
  asked: string | undefined,
  id: string | undefined,
  chosen: SessionOutside,
): string {
  if (asked !== undefined) return checkedName('import', asked)
  const name = [id, outsideName(chosen)].find((each) => each !== undefined && canBeTyped(each))
  if (name !== undefined) return name
  throw usage('import', 'the session says no name of its own: give it one with --as NAME')
}

function outsideName(chosen: SessionOutside): string {
  if (chosen.type === 'found') return chosen.session.id
  return chosen.path === '-' ? '' : basename(chosen.path, extname(chosen.path))
}
