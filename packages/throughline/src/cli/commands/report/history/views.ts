import { contextOf } from '../../../../log/context/context.ts'
import { historyOf, rangesAt, rewindsIn } from '../../../../log/history.ts'
import { renderContext } from '../../../../compaction/render/render.ts'
import { summaryRoleOf } from '../../../../compaction/render/summary-block.ts'
import { sanitize, sanitizeLine } from '../../../../log/sanitize.ts'
import { asText } from '../../../transcript/as-text.ts'
import { entryPassages, passagesOf, painted } from '../../../transcript/passages.ts'
import { paintFor } from '../../../terminal/colour.ts'
import { safeJson } from '../../../output/target.ts'
import { clipColumns, padColumns } from '../../../terminal/columns.ts'
import { entryName, entryText } from './entry-text.ts'
import { encodeEntry } from '../../../../stores/sqlite/payload.ts'
import type { Range } from '../../../../log/history.ts'
import type { Passage } from '../../../transcript/passages.ts'
import type { Paint } from '../../../terminal/colour.ts'
import type { Policy } from '../../../../compaction/policy.ts'
import type { SessionInput } from '../../../source/read-input.ts'
import type { Io } from '../../../io.ts'
import type { Entry } from '../../../../log/entry.ts'
import type { Chronological } from '../../../../log/order.ts'

/** What to show, and how. */
interface Showing {
  session: SessionInput
  policy: Policy
  io: Io
}

/** A view of a session, as text and as JSON, in pieces. */
interface View {
  text: (showing: Showing) => Iterable<string>
  json: (showing: Showing) => Iterable<string>
}

/** What the user sees. */
const history: View = {
  *text({ session, io }) {
    let first = true
    for (const entry of historyOf(session.log).entries) {
      const passages = entryPassages(entry).filter(says)
      if (passages.length === 0) continue
      yield (first ? '' : '\n') + painted(asText(passages), io)
      first = false
    }
  },
  json: ({ session }) =>
    objectWithList(headOf(session), 'entries', historyOf(session.log).entries.map(entryJson)),
}

/** What the model sees. */
const context: View = {
  *text({ session, policy, io }) {
    const { log, facts } = session
    const system: Passage[] =
      facts.system === undefined ? [] : [{ kind: 'system', text: sanitize(facts.system) }]
    const passages = passagesOf(contextOf(log), log, summaryRoleOf(policy))
    yield painted(asText([...system, ...passages]), io)
  },
  json: ({ session, policy }) => {
    const { messages } = renderContext(contextOf(session.log).items, summaryRoleOf(policy))
    const head = { ...headOf(session), system: session.facts.system ?? null }
    return objectWithList(
      head,
      'messages',
      messages.map((message) => safeJson(message, 0)),
    )
  },
}

/** Everything that was ever said or done. */
const log: View = {
  *text({ session, io: { stdout, env } }) {
    const lines = logLines(session.log, stdout.columns(), paintFor(stdout, env))
    for (const line of lines) yield `${line}\n`
  },
  json: ({ session }) => objectWithList(headOf(session), 'entries', session.log.map(entryJson)),
}

export const views = { history, context, log } as const

export function headOf({
  name,
  stored,
  format,
  facts,
}: Pick<SessionInput, 'name' | 'stored' | 'format' | 'facts'>) {
  return { session: stored ?? name, format, model: facts.model ?? null }
}

function says({ text, tool }: Passage): boolean {
  return text !== '' || tool !== undefined
}

const nameColumns = 11

/** One line for every entry of the log: its seq, its kind, and what it says or did. */
function* logLines(log: Chronological, width: number, paint: Paint): Generator<string> {
  const newest = log.at(-1)?.seq ?? 0
  const ranges = rangesAt(rewindsIn(log), newest)
  const seqColumns = String(newest).length
  for (const entry of log) {
    const gone = isTakenBack(entry, ranges)
    const seq = padColumns(String(entry.seq), seqColumns, 'left')
    const name = padColumns(sanitizeLine(entryName(entry)), nameColumns, 'right')
    const text = sanitizeLine(`${gone ? '(undone) ' : ''}${entryText(entry)}`)
    const line = clipColumns(`${seq}  ${name} ${text}`, width).trimEnd()
    yield gone ? paint('dim', line) : entry.kind === 'message' ? line : paint('cyan', line)
  }
}

/** Rewinds themselves and notes can't be undone. */
function isTakenBack({ kind, seq }: Entry, ranges: readonly Range[]): boolean {
  if (kind === 'rewind' || kind === 'observation') return false
  return !ranges.some(({ from, to }) => from <= seq && seq <= to)
}

/**
 * An object with a list that may be longer than one string can be, in pieces: each item exactly as
 * in the session, and on its own line.
 */
function* objectWithList(
  head: Readonly<Record<string, unknown>>,
  name: string,
  items: Iterable<string>,
): Generator<string> {
  yield `${safeJson({ version: 1, ...head }).slice(0, -2)},\n  "${name}": [`
  let before = '\n    '
  for (const item of items) {
    yield before + item
    before = ',\n    '
  }
  yield '\n  ]\n}\n'
}

/** An entry as in an export; bytes, dates and the like are written as they are there. */
export function entryJson({ seq, ...draft }: Entry): string {
  return safeJson(JSON.parse(encodeEntry({ seq, ...draft } as Entry)), 0)
}
