import { ImportConflictError } from '../../../formats/stored/errors.ts'
import { importSession, type ImportedSession } from '../../../formats/stored/import-session.ts'
import { CommandError } from '../../errors.ts'
import { foundName } from '../../source/session-found.ts'
import { pathFrom } from '../../paths.ts'
import { skippedText, readOutside, type SessionInput } from '../../source/read-session.ts'
import { chooseOutside, type SessionOutside } from '../../source/choose-session.ts'
import { inNewStore, shownStore } from '../../store/open-store.ts'
import type { Result } from '../../store/result.ts'
import type { Configuration } from '../../../config/load-config.ts'
import { counted } from '../../terminal/numbers.ts'
import { whileWriting } from '../../terminal/status-line.ts'
import type { Io } from '../../io.ts'
import { throughline } from '../../../formats/throughline/format.ts'
import { basename, extname } from 'node:path'
import { usage } from '../../parse-arguments.ts'
import { canBeTyped, checkedName, shownName } from '../../store/session-name.ts'

/** Imports the session that a word names, and says what was done. */
export async function importOne(
  word: string,
  name: string | undefined,
  configuration: Configuration,
  io: Io,
): Promise<Result> {
  const chosen = (await chooseOutside(word, io)) ?? { type: 'file', path: word }
  const session = await readOutside(chosen, io)
  const id = sessionName(name, session.facts.id, chosen)
  const source = sourceOf(chosen, io)
  const { done, file } = await inNewStore(configuration, io, async (store) => ({
    done: await whileWriting(io, `storing ${session.name}`, () =>
      importSession(store, session, { id, source, signal: io.signal }),
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
  return { json, lines }
}

/** The session's source, as recorded in its notes. */
export function sourceOf(chosen: SessionOutside, { cwd }: Io): string {
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
    return `Nothing new: ${name} is already in ${store}, ${counted(known, 'entry', 'entries')}.`
  const entries = counted(added, 'entry', 'entries')
  if (known === 0) return `Imported ${name}: ${entries}, into ${store}.`
  const half = replaced ? ' Its newest step was half written and was rewound first.' : ''
  return `Added ${counted(added, 'new entry', 'new entries')} to ${name}, which had ${counted(known, 'entry', 'entries')} from this file.${half}`
}

function nextText(id: string): string {
  return `To see it: throughline report --history ${shownName(id)}`
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
  return `The export is incomplete: ${parts.join(', ')}. A note marks the place of each one that others follow.`
}

/**
 * The name of an imported session: the requested one, else the harness's id, else that of its file.
 * Names that cannot be typed are skipped.
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
  throw usage('import', 'the session has no name of its own: name it with --as NAME')
}

function outsideName(chosen: SessionOutside): string {
  if (chosen.type === 'found') return chosen.session.id
  return chosen.path === '-' ? '' : basename(chosen.path, extname(chosen.path))
}
