import { parseForeignRef } from '../../../../log/source.ts'
import { policyOf } from '../../../../config/policy-of.ts'
import { configurationFor } from '../../../configuration.ts'
import { exitCodes } from '../../../errors.ts'
import { usage } from '../../../parse-arguments.ts'
import { chooseSession, type ChosenSession } from '../../../source/choose-session.ts'
import { readChosen } from '../../../source/read-session.ts'
import { views, headOf, entryJson } from './views.ts'
import { forEachSession } from '../../../several-sessions.ts'
import { argument, restOf, type ParsedArguments } from '../../../command.ts'
import type { Io } from '../../../io.ts'
import { takeTurn } from '../../../terminal/turn.ts'
import { entryAt, chronological } from '../../../../log/order.ts'
import { RefNotFoundError, parseRef } from '../../../../log/ref.ts'
import { partsOf, type Part, messageText } from '../../../../log/message.ts'
import { formatOf, storedFacts } from '../../../../formats/stored/facts.ts'
import { safeJson } from '../../../output/target.ts'
import { inStore } from '../../../store/open-store.ts'
import { isFile } from '../../../store/find-session.ts'
import { pathFrom } from '../../../paths.ts'
import { asText } from '../../../transcript/as-text.ts'
import {
  painted,
  entryPassages,
  partPassage,
  sayerOf,
  type Passage,
} from '../../../transcript/passages.ts'
import type { Configuration } from '../../../../config/load-config.ts'
import type { Entry, Seq, EntryOf } from '../../../../log/entry.ts'
import type { SessionInput } from '../../../source/read-input.ts'
import { sanitize } from '../../../../log/sanitize.ts'
import { entryText } from './entry-text.ts'

/** @throws UsageError if the words are refs and sessions at once. */
export async function runHistory(parsed: ParsedArguments, io: Io): Promise<number> {
  const [session = '', ...more] = restOf(parsed, 'session')
  if (session === '') throw usage('report', 'whose history? Name a session')
  const refs = more.filter((word) => isRef(word))
  if (refs.length === more.length) {
    const words = new Map([
      ['session', [session]],
      ['ref', more],
    ])
    return runShow({ ...parsed, arguments: words }, io)
  }
  if (refs.length > 0) {
    throw usage('report', `${refs[0]} is a ref: name one session and its refs, or several sessions`)
  }
  const [only = ''] = more
  if (more.length === 1 && !(await isSession(only, parsed, io))) throw notRef(only)
  return forEachSession('report', parsed, io, runShow, { between: 'heading' })
}

/** Whether a word names a session, so that a slip in a ref is told before a whole session is shown. */
async function isSession(word: string, parsed: ParsedArguments, io: Io): Promise<boolean> {
  const configuration = await configurationFor('report', parsed, io)
  const chosen = await chooseSession(word, configuration, io).catch(() => undefined)
  if (chosen === undefined || chosen.type !== 'file') return chosen !== undefined
  return word === '-' || (await isFile(pathFrom(io.cwd, word)))
}

function notRef(word: string): Error {
  const shown = JSON.stringify(word.slice(0, 40))
  return usage(
    'report',
    `a ref is the number of an entry or of a part of it, such as 12 or 12.0, not ${shown}`,
  )
}

/** Also what is nearly one, which is told so. */
function isRef(word: string): boolean {
  return /^[\d.]+$/.test(refIn(word)) || parseForeignRef(refIn(word)) !== undefined
}

/** As the output has it: `[12.0]`. */
function refIn(word: string): string {
  return word.replace(/^\[(.*)\]$/, '$1')
}

async function runShow(parsed: ParsedArguments, io: Io): Promise<number> {
  const refs = restOf(parsed, 'ref').map(refIn)
  const view = viewOf(parsed, refs)
  const json = parsed.flags.has('json')
  const configuration = await configurationFor('report', parsed, io)
  const chosen = await chooseSession(argument(parsed, 'session'), configuration, io)
  if (refs.length > 0) {
    const all: Named[] = []
    for (const ref of refs) all.push(await readNamed(ref, chosen, configuration, io))
    const [first] = all
    const text = json
      ? safeJson(
          first && all.length === 1
            ? namedJson(first)
            : { version: 1, entries: all.map(namedJson) },
        )
      : all.map((named) => namedText(named, io)).join('\n')
    await io.stdout.write(json ? `${text}\n` : text)
    return exitCodes.done
  }
  const session = await readChosen(chosen, configuration, io)
  const policy = policyOf(configuration, session.facts.model)
  await writePieces(views[view][json ? 'json' : 'text']({ session, policy, io }), io)
  return exitCodes.done
}

function viewOf({ flags }: ParsedArguments, refs: readonly string[]): keyof typeof views {
  const asked = (['context', 'log'] as const).filter((name) => flags.has(name))
  const [view, other] = asked
  if (other) throw usage('report', '--context and --log show different things: use only one')
  if (view && refs.length > 0) {
    throw usage('report', `a ref shows one entry and --${view} shows them all: use only one`)
  }
  return view ?? 'history'
}

// How much is written at once; a whole session may be longer than one string can be.
const piece = 256 * 1024

/** Writes a long text piece by piece, and can be stopped between pieces. */
async function writePieces(pieces: Iterable<string>, io: Io): Promise<void> {
  let text = ''
  for (const next of pieces) {
    text += next
    if (text.length < piece) continue
    await io.stdout.write(text)
    text = ''
    await takeTurn(io)
  }
  if (text !== '') await io.stdout.write(text)
}

/** What a ref names: a whole entry, or a part of a message. */
interface Named {
  ref: string
  session: Pick<SessionInput, 'name' | 'stored' | 'format' | 'facts'>
  entry: Entry
  part?: Part
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
  if (!parsed) throw notRef(ref)
  const { session, newest } = await readAround(parsed.seq, chosen, configuration, io)
  const entry = entryAt(session.log, parsed.seq)
  if (!entry) throw new RefNotFoundError({ ref, newest })
  if (parsed.part === undefined) return { ref, session, entry }
  const part = entry.kind === 'message' ? partsOf(entry.message)[parsed.part] : undefined
  if (!part) throw new RefNotFoundError({ ref, newest })
  return { ref, session, entry, part }
}

/** A session with as much of its log as an entry needs. */
async function readAround(
  seq: Seq,
  chosen: ChosenSession,
  configuration: Configuration,
  io: Io,
): Promise<{ session: Omit<SessionInput, 'skipped' | 'skippedCount'>; newest: Seq }> {
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

/** What a ref names, as a reader sees it. */
function namedText({ entry, part }: Named, io: Io): string {
  const passages = part && entry.kind === 'message' ? [wholePart(entry, part)] : wholeEntry(entry)
  return painted(asText(passages), io)
}

/** The same as JSON. */
function namedJson({ ref, session, entry, part }: Named): object {
  const whole: unknown = JSON.parse(entryJson(entry))
  const what = part ? { part } : { entry: whole }
  return { version: 1, ...headOf(session), ref, ...what }
}

/** A whole entry of any kind. */
function wholeEntry(entry: Entry): Passage[] {
  switch (entry.kind) {
    case 'message':
      return entryPassages(entry)
    case 'checkpoint': {
      const { continuation } = entry
      const goesOn = continuation ? [note(messageText(continuation.message))] : []
      return [note(entryText(entry)), { kind: 'summary', text: sanitize(entry.summary) }, ...goesOn]
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

/** A whole part of a message; as JSON if it has no text of its own. */
function wholePart(entry: EntryOf<'message'>, part: Part): Passage {
  return partPassage(part, sayerOf(entry)) ?? note(JSON.stringify(part))
}

function note(text: string): Passage {
  return { kind: 'note', text: sanitize(text) }
}
