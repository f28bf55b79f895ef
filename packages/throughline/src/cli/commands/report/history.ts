import { contextOf } from '../../../log/context/context.ts'
import { historyOf, rangesAt, rewindsIn, type Range } from '../../../log/history.ts'
import { messageText, partsOf, type Part } from '../../../log/message.ts'
import { chronological, entryAt, type Chronological } from '../../../log/order.ts'
import { RefNotFoundError, parseRef } from '../../../log/ref.ts'
import { sanitize, sanitizeLine } from '../../../log/sanitize.ts'
import { parseForeignRef } from '../../../log/source.ts'
import { renderContext } from '../../../compaction/render/render.ts'
import { summaryRoleOf } from '../../../compaction/render/summary-block.ts'
import { policyOf } from '../../../config/policy-of.ts'
import { formatOf, storedFacts } from '../../../formats/stored/facts.ts'
import { encodeEntry } from '../../../stores/sqlite/payload.ts'
import { argument, restOf, type ParsedArguments } from '../../command.ts'
import { configurationFor } from '../../configuration.ts'
import { exitCodes } from '../../errors.ts'
import { safeJson } from '../../output/target.ts'
import { usage } from '../../parse-arguments.ts'
import { chooseSession, type ChosenSession } from '../../source/choose-session.ts'
import { readChosen, type SessionInput } from '../../source/read-session.ts'
import { inStore } from '../../store/open-store.ts'
import { bareRef, notRef } from '../../store/seqs.ts'
import { paintFor, type Paint } from '../../terminal/colour.ts'
import { clipColumns, padColumns } from '../../terminal/columns.ts'
import { asText } from '../../transcript/printed.ts'
import { inPieces } from '../../terminal/turn.ts'
import {
  entryPassages,
  painted,
  partPassage,
  passagesOf,
  sayerOf,
  type Passage,
} from '../../transcript/passages.ts'
import { entryName, entryText } from './entry-text.ts'
import type { Policy } from '../../../compaction/policy.ts'
import type { Configuration } from '../../../config/load-config.ts'
import type { Entry, EntryOf, Seq } from '../../../log/entry.ts'
import type { Io } from '../../io.ts'

/** @throws UsageError if a word after the session is no ref. */
export async function runHistory(parsed: ParsedArguments, io: Io): Promise<number> {
  if (argument(parsed, 'session') === '') throw usage('report', 'whose history? Name a session')
  const words = restOf(parsed, 'ref')
  const odd = words.find((word) => !looksLikeRef(word))
  if (odd !== undefined) throw notRef('report', odd)
  return showSession(parsed, words.map(bareRef), io)
}

/** Also what is nearly a ref. */
function looksLikeRef(word: string): boolean {
  return /^[\d.]+$/.test(bareRef(word)) || parseForeignRef(bareRef(word)) !== undefined
}

async function showSession(
  parsed: ParsedArguments,
  refs: readonly string[],
  io: Io,
): Promise<number> {
  const view = viewOf(parsed, refs)
  const isJson = parsed.flags.has('json')
  const configuration = await configurationFor('report', parsed, io)
  const chosen = await chooseSession(argument(parsed, 'session'), configuration, io)
  if (refs.length > 0) {
    const all: Named[] = []
    for (const ref of refs) all.push(await readNamed(ref, chosen, configuration, io))
    const json = all.map(namedJson)
    const text = isJson
      ? `${safeJson(json.length === 1 ? json[0] : { version: 1, entries: json })}\n`
      : all.map(({ entry, part }) => painted(asText(namedPassages(entry, part)), io)).join('\n')
    await io.stdout.write(text)
    return exitCodes.done
  }
  const session = await readChosen(chosen, configuration, io)
  const policy = policyOf(configuration, session.facts.model)
  const texts = views[view][isJson ? 'json' : 'text'](session, policy, io)
  for await (const piece of inPieces(texts, io)) await io.stdout.write(piece)
  return exitCodes.done
}

function viewOf({ flags }: ParsedArguments, refs: readonly string[]): keyof typeof views {
  const [view, other] = (['context', 'log'] as const).filter((name) => flags.has(name))
  if (other) throw usage('report', '--context and --log show different things: use only one')
  if (view && refs.length > 0) {
    throw usage('report', `a ref shows one entry and --${view} shows them all: use only one`)
  }
  return view ?? 'history'
}

/** A view of a session, as text or as JSON, in pieces. */
type Pieces = (session: SessionInput, policy: Policy, io: Io) => Iterable<string>

const views: Readonly<Record<'history' | 'context' | 'log', Record<'text' | 'json', Pieces>>> = {
  /** What the user sees. */
  history: {
    *text({ log }, _, io) {
      let first = true
      for (const entry of historyOf(log).entries) {
        const passages = entryPassages(entry).filter(({ text, tool }) => text !== '' || tool)
        if (passages.length === 0) continue
        yield (first ? '' : '\n') + painted(asText(passages), io)
        first = false
      }
    },
    json: (session) =>
      objectWithList(headOf(session), 'entries', historyOf(session.log).entries.map(entryJson)),
  },
  /** What the model sees. */
  context: {
    *text({ log, facts: { system } }, policy, io) {
      const passages = passagesOf(contextOf(log), log, summaryRoleOf(policy))
      const first: Passage[] = system === undefined ? [] : [plainPassage('system', system)]
      yield painted(asText([...first, ...passages]), io)
    },
    json(session, policy) {
      const { messages } = renderContext(contextOf(session.log).items, summaryRoleOf(policy))
      const head = { ...headOf(session), system: session.facts.system ?? null }
      return objectWithList(
        head,
        'messages',
        messages.map((message) => safeJson(message, 0)),
      )
    },
  },
  /** Everything that was ever said or done. */
  log: {
    text: ({ log }, _, { stdout, env }) => logLines(log, stdout.columns(), paintFor(stdout, env)),
    json: (session) => objectWithList(headOf(session), 'entries', session.log.map(entryJson)),
  },
}

function headOf({
  name,
  stored,
  format,
  facts,
}: Pick<SessionInput, 'name' | 'stored' | 'format' | 'facts'>) {
  return { session: stored ?? name, format, model: facts.model ?? null }
}

const nameColumns = 11

/** One line for every entry of the log: its seq, its kind, and what it says or did. */
function* logLines(log: Chronological, width: number, paint: Paint): Generator<string> {
  const newest = log.at(-1)?.seq ?? 0
  const ranges = rangesAt(rewindsIn(log), newest)
  for (const entry of log) {
    const isUndone = wasUndone(entry, ranges)
    const seq = padColumns(String(entry.seq), String(newest).length, 'left')
    const name = padColumns(sanitizeLine(entryName(entry)), nameColumns, 'right')
    const text = sanitizeLine(`${isUndone ? '(undone) ' : ''}${entryText(entry)}`)
    const line = `${clipColumns(`${seq}  ${name} ${text}`, width).trimEnd()}`
    const shown = entry.kind === 'message' ? line : paint('cyan', line)
    yield `${isUndone ? paint('dim', line) : shown}\n`
  }
}

/** Rewinds themselves and notes can't be undone. */
function wasUndone({ kind, seq }: Entry, ranges: readonly Range[]): boolean {
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
function entryJson({ seq, ...draft }: Entry): string {
  return safeJson(JSON.parse(encodeEntry({ seq, ...draft } as Entry)), 0)
}

/** What a ref names: a whole entry, or a part of a message. */
interface Named {
  ref: string
  session: Omit<SessionInput, 'skipped' | 'skippedCount'>
  entry: Entry
  part: Part | undefined
}

/**
 * Reads what a ref names; for a stored session, it reads nothing else.
 * @throws UsageError, RefNotFoundError
 */
async function readNamed(
  ref: string,
  chosen: ChosenSession,
  configuration: Configuration,
  io: Io,
): Promise<Named> {
  const parsed = parseRef(ref)
  if (!parsed && parseForeignRef(ref)) {
    throw usage('report', `${ref} is a ref into another session: throughline recall follows it`)
  }
  if (!parsed) throw notRef('report', ref)
  const { session, newest } = await readAround(parsed.seq, chosen, configuration, io)
  const entry = entryAt(session.log, parsed.seq)
  const parts = entry?.kind === 'message' ? partsOf(entry.message) : []
  const part = parsed.part === undefined ? undefined : parts[parsed.part]
  if (entry && (part || parsed.part === undefined)) return { ref, session, entry, part }
  throw new RefNotFoundError({ ref, newest })
}

/** A session with as much of its log as an entry needs. */
async function readAround(
  seq: Seq,
  chosen: ChosenSession,
  configuration: Configuration,
  io: Io,
): Promise<{ session: Named['session']; newest: Seq }> {
  if (chosen.type !== 'stored') {
    const session = await readChosen(chosen, configuration, io)
    return { session, newest: session.log.at(-1)?.seq ?? 0 }
  }
  const { id, newest } = chosen.session
  return inStore(configuration, io, async (store) => {
    const facts = await storedFacts(store, chosen.session)
    const log = chronological(await store.read(id, { seqs: [seq] }))
    return { session: { name: id, stored: id, format: formatOf(facts), facts, log }, newest }
  })
}

function namedJson({ ref, session, entry, part }: Named): object {
  const whole: unknown = JSON.parse(entryJson(entry))
  return { version: 1, ...headOf(session), ref, ...(part ? { part } : { entry: whole }) }
}

/** A whole entry of any kind, or one part of a message; as JSON if the part has no text. */
function namedPassages(entry: Entry, part: Part | undefined): Passage[] {
  const note = (text: string): Passage => plainPassage('note', text)
  switch (entry.kind) {
    case 'message':
      if (!part) return entryPassages(entry)
      return [partPassage(part, sayerOf(entry as EntryOf<'message'>)) ?? note(JSON.stringify(part))]
    case 'checkpoint': {
      const { continuation } = entry
      const after = continuation ? [note(messageText(continuation.message))] : []
      return [note(entryText(entry)), plainPassage('summary', entry.summary), ...after]
    }
    case 'prune':
      return entry.replacements.map((replacement) => ({
        ...note('input' in replacement ? JSON.stringify(replacement.input) : replacement.text),
        ref: replacement.ref,
      }))
    case 'pin':
      return [note(entry.text)]
    default:
      return [note(entryText(entry))]
  }
}

function plainPassage(kind: Passage['kind'], text: string): Passage {
  return { kind, text: sanitize(text) }
}
