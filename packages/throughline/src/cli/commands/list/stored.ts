import { isAbsolute } from 'node:path'
import { foldersOf, pathForReader } from '../../../config/folders.ts'
import { policyOf } from '../../../config/policy-of.ts'
import { overviewOf, type SessionOverview } from '../../../formats/stored/overview.ts'
import { sanitizeLine } from '../../../log/sanitize.ts'
import { configurationFor } from '../../configuration.ts'
import { printAnswer } from '../../output/print-answer.ts'
import { usableOf } from '../../sizes/keep-policy.ts'
import { chooseWindow } from '../../sizes/window-choice.ts'
import { inStore } from '../../store/open-store.ts'
import { whenText, withThousands } from '../../terminal/numbers.ts'
import { fieldTable, type Field } from '../../terminal/table.ts'
import { takeTurn } from '../../terminal/turn.ts'
import { fullText, olderLines, right, titleText, tokensText } from './list-lines.ts'
import type { Configuration } from '../../../config/load-config.ts'
import type { ParsedArguments } from '../../command.ts'
import type { Io } from '../../io.ts'

/** The sessions in the store. */
export async function listStored(parsed: ParsedArguments, limit: number, io: Io): Promise<number> {
  const configuration = await configurationFor('list', parsed, io)
  const { total, rows } = await inStore(configuration, io, async (store) => {
    const sessions = (await store.sessions()).sort((one, other) => other.at - one.at)
    const rows: SessionRow[] = []
    for (const session of sessions.slice(0, limit)) {
      rows.push(sessionRow(await overviewOf(store, session), configuration))
      await takeTurn(io)
    }
    return { total: sessions.length, rows }
  })
  const answer = {
    json: () => ({ version: 1, total, sessions: rows.map(sessionJson) }),
    lines: ({ width }: { width: number }) =>
      total === 0
        ? ['The store is empty. To add a session: throughline import FILE']
        : [...fieldTable(fieldsFor(width, io), rows, width), ...olderLines(total - rows.length)],
  }
  return printAnswer(answer, parsed, io)
}

/** A stored session. */
interface SessionRow extends SessionOverview {
  /** The window without the room for the model's answer, in tokens. */
  usable: number
}

function sessionRow(overview: SessionOverview, configuration: Configuration): SessionRow {
  const { facts } = overview
  const { window } = chooseWindow(undefined, facts, configuration)
  return { ...overview, usable: usableOf(window, policyOf(configuration, facts.model)) }
}

/** A session in the object printed by `list --stored --json`. */
function sessionJson({ id, at, newest, tokens, usable, compactions, title, facts }: SessionRow) {
  return {
    session: id,
    written: at,
    entries: newest,
    tokens: tokens ?? null,
    usable,
    compactions,
    title: title ?? null,
    format: facts.format ?? null,
    source: facts.source ?? null,
    model: facts.model ?? null,
    directory: facts.directory ?? null,
  }
}

// From the first width on, figures are shown; then the program that wrote each session; then whole
// names, and names of files.
const [narrow, wide, wider] = [78, 110, 160]

function fieldsFor(width: number, { env, cwd }: Io): Field<SessionRow>[] {
  const now = Date.now()
  const pathOf = (path: string): string =>
    isAbsolute(path) ? pathForReader(path, foldersOf(env), cwd) : path
  const fromText = ({ facts: { format = '', source } }: SessionRow): string =>
    sanitizeLine(`${format} ${source !== undefined && width >= wider ? pathOf(source) : ''}`)
  return [
    {
      heading: 'session',
      ...(width < wider && { clip: 'end' }),
      cell: ({ id }) => sanitizeLine(id),
    },
    { heading: 'written', cell: ({ at }) => whenText(at, now) },
    { ...right('entries'), cell: ({ newest }) => withThousands(newest) },
    { ...right('context'), cell: ({ tokens, counted }) => tokensText(tokens, counted) },
    { ...right('full'), cell: ({ tokens, usable }) => fullText(tokens, usable), from: narrow },
    {
      ...right('compacted'),
      cell: ({ compactions }) => (compactions === 0 ? '–' : `${compactions}×`),
      from: narrow,
    },
    { heading: 'title', clip: 'end', cell: ({ title = '' }) => titleText(title) },
    { heading: 'from', clip: 'start', cell: fromText, from: wide },
  ]
}
