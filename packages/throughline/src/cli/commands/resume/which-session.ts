import { realpath } from 'node:fs/promises'
import { sources } from '../../../formats/harnesses.ts'
import { previewSession } from '../../../harnesses/preview/preview-session.ts'
import { CommandError } from '../../errors.ts'
import { findFound } from '../../source/find-found.ts'
import { isSaid } from '../../source/session-found.ts'
import { takeTurn } from '../../terminal/turn.ts'
import { sessionLines, titleText } from '../list/list-lines.ts'
import { rowsOf } from '../list/rows.ts'
import type { Configuration } from '../../../config/load-config.ts'
import type { FoundSession } from '../../../harnesses/found-session.ts'
import type { Io } from '../../io.ts'

// An older session is named.
const mostLookedAt = 200

/**
 * The newest session of the working directory in which something was said.
 * @throws CommandError if there is none.
 */
export async function newestHere(io: Io, command = 'resume'): Promise<FoundSession> {
  const { sessions } = await findFound(sources, io)
  const here = await realOf(io.cwd)
  for (const session of sessions.slice(0, mostLookedAt)) {
    await takeTurn(io)
    const preview = await previewSession(session).catch(() => undefined)
    const { directory } = preview ?? {}
    if (preview && directory !== undefined && isSaid(preview) && (await realOf(directory)) === here)
      return session
  }
  throw new CommandError(
    sessions.length === 0
      ? 'no sessions were found on this machine. Name the file of one.'
      : `there is no session of this directory. To take the newest of all: throughline ${command} latest. To see them: throughline list`,
  )
}

async function realOf(directory: string): Promise<string> {
  return realpath(directory).catch(() => directory)
}

// More would be too many to scroll through.
const mostOffered = 100

/**
 * Lets the user choose from the newest sessions; `undefined` if they leave.
 * @throws CommandError if there are none.
 */
export async function pickSession(
  configuration: Configuration,
  io: Io,
): Promise<FoundSession | undefined> {
  const found = await findFound(sources, io)
  const options = { limit: mostOffered, configuration, unreadable: found.unreadable, read: false }
  const { rows } = await rowsOf(found.sessions, options, io)
  if (rows.length === 0) {
    throw new CommandError('no sessions were found on this machine. Name the file of one.')
  }
  // The cursor takes the first columns.
  const width = io.stderr.columns() - 3
  const [heading = '', ...lines] = sessionLines(rows, found.sessions, io, width)
  // A narrow terminal shows less of them than people know.
  const texts = rows.map(({ found: { harness, id }, preview }) =>
    [harness.name, id, titleText(preview.title ?? ''), preview.directory, preview.model].join(' '),
  )
  const question = `Which session? Type to filter; Esc leaves.\n  ${heading}\n`
  const chosen = await io.stdin.choose(question, lines, texts)
  return chosen === undefined ? undefined : rows[chosen]?.found
}
