import {
  cannotBeFound,
  formsLookedFor,
  type Inspection,
} from '../../../log/redaction/inspection.ts'
import type { NearMiss } from '../../../log/redaction/near-misses.ts'
import { storedFacts } from '../../../formats/stored/facts.ts'
import {
  holderOf,
  leakOf,
  redactLeak,
  type Found,
  type Holder,
  type Leak,
} from '../../../session/operations/leak.ts'
import { configurationFor } from '../../configuration.ts'
import { CommandError, InterruptedError, exitCodes } from '../../errors.ts'
import { typedText } from '../../source/typed-text.ts'
import { shownPath } from '../../paths.ts'
import { confirmed } from '../../store/confirm.ts'
import { findSession } from '../../store/find-session.ts'
import { inStore } from '../../store/open-store.ts'
import { jsonOption, storedSessionArgument, storeOptions, yesOption } from '../../shared-options.ts'
import { forgetSearched } from '../../store/search-file.ts'
import { printResult } from '../../store/result.ts'
import { shownName, someNames } from '../../store/session-name.ts'
import { writtenCopies } from './written-copies.ts'
import { whileWriting, statusLine } from '../../terminal/status-line.ts'
import { argument, type Command, type ParsedArguments } from '../../command.ts'
import { clipColumns } from '../../terminal/columns.ts'
import { counted } from '../../terminal/numbers.ts'
import { takeTurn } from '../../terminal/turn.ts'
import { seqRanges } from '../../store/seqs.ts'
import { parseRef } from '../../../log/ref.ts'
import { usage } from '../../parse-arguments.ts'
import type { Store } from '../../../session/store.ts'
import type { Io } from '../../io.ts'
import type { Ref, Seq } from '../../../log/entry.ts'

/** What to redact, and how to refer to it: a secret must not be repeated. */
interface Asked {
  what: { text: string } | { ref: Ref }
  name: string
}

/** @throws UsageError */
async function askedFor(parsed: ParsedArguments, io: Io): Promise<Asked> {
  const ref = argument(parsed, 'ref')
  const secret = parsed.values.get('secret')
  if (ref !== '' && secret !== undefined) {
    throw usage('redact', 'a ref and --secret cannot be combined: use only one')
  }
  if (secret !== undefined) {
    const text = secret === '-' ? await secretIn(io) : secret
    if (text.trim() !== '') return { what: { text }, name: 'this text' }
    throw usage('redact', 'standard input contains no secret')
  }
  if (ref === '') throw usage('redact', 'what should be redacted? Give a ref, or --secret TEXT')
  if (parseRef(ref)) return { what: { ref: ref as Ref }, name: `the text of ${ref}` }
  throw usage(
    'redact',
    'a ref is the number of a message or of a part of it, such as 12 or 12.0; to redact a text, use --secret TEXT',
  )
}

/**
 * The secret from standard input, without the final line break; in a terminal, one line that isn't
 * shown.
 * @throws CommandError if it is far too long; InterruptedError at Ctrl-C.
 */
async function secretIn(io: Io): Promise<string> {
  const { stdin, signal } = io
  const text = stdin.isTerminal
    ? await stdin.hiddenLine('The secret, which is not shown: ')
    : await typedText(io, 'more than a megabyte cannot be a secret. Pass a single secret.')
  if (signal.aborted) throw new InterruptedError('interrupted; nothing was changed.')
  return (text ?? '').replace(/\r?\n$/, '')
}

export const redactCommand: Command = {
  name: 'redact',
  description: [
    'Overwrites a text everywhere in the session: in messages, tool inputs and outputs, summaries and pins. It is also found in other forms: escaped, quoted, in a URL, in base64 or hexadecimal, with line breaks or colors in it, or spread over several messages. With a ref, overwrites the whole text of that message or part, and its copies. No trace of it stays in the store. The command reports which entries were changed, what it looked for, what may still contain it, which other sessions also contain the text, and which session files that resume wrote for a client still do. It asks for confirmation first.',
    'With --secret -, the text is read from standard input, so that it does not end up in your shell’s history; if you type it in a terminal, it is not shown.',
  ],
  arguments: [
    storedSessionArgument,
    { name: 'ref', give: 'the number of a message or part, or --secret', optional: true },
  ],
  options: {
    '--secret TEXT': 'The text to remove; - reads it from standard input.',
    '--all-sessions': 'Remove it from every session in the store.',
    ...yesOption,
    ...jsonOption,
    ...storeOptions,
  },
  examples: {
    'throughline redact made --secret - --yes < secret.txt':
      'Remove the text in a file from the session.',
    'throughline redact made 3 --all-sessions --yes':
      'Remove the text of message 3 from every session in the store, such as forks.',
  },
  run: runRedact,
}

async function runRedact(parsed: ParsedArguments, io: Io): Promise<number> {
  const { what, name } = await askedFor(parsed, io)
  const configuration = await configurationFor('redact', parsed, io)
  return inStore(configuration, io, async (store) => {
    const stored = await findSession(store, argument(parsed, 'session'), io)
    const leak = await io.endingInTurn(() => leakOf(store, stored.id, what))
    const all = await foundIn(store, leak, io)
    const holders = all.filter(({ seqs }) => seqs.length > 0)
    const isMeant = ({ session }: Holder): boolean =>
      session === stored.id || parsed.flags.has('all-sessions')
    const meant = holders.filter(isMeant)
    const left = holders.filter((holder) => !isMeant(holder))
    const own = all.find(({ session }) => session === stored.id) as Found
    // It has copies of what is said; the next search rebuilds it.
    if (meant.length === 0) forgetSearched(configuration)
    if (meant.length === 0) return nothingThere(store, own, name, left)
    if (!(await confirmed('redact', questionText(meant, name), parsed, io))) {
      return exitCodes.failed
    }
    forgetSearched(configuration)
    const done = await redactAll(store, meant, io)
    const { source } = await storedFacts(store, stored)
    const copies = 'text' in what ? await writtenCopies(what.text, io) : []
    const looked = all.filter((one) => one === own || meant.includes(one))
    const json = {
      session: stored.id,
      redacted: done,
      left: left.map(({ session, seqs }) => ({ session, seqs })),
      source: source ?? null,
      copies,
      forms: formsLookedFor,
      ...remainsOf(looked),
    }
    const from = source === undefined ? undefined : shownPath(source)
    const lines = [
      ...resultLines(done, left, from),
      copiesText(copies),
      ...remainingLines(looked, 'text' in what),
    ]
    return printResult({ json, lines }, parsed, io)
  })
}

function copiesText(copies: readonly string[]): string | undefined {
  if (copies.length === 0) return undefined
  const files = someNames(copies.map(shownPath), mostShown)
  return `Not changed, and still holding it: ${counted(copies.length, 'session')} that Throughline wrote for a client: ${files}.`
}

// How many refs a line names.
const mostShown = 10

async function redactAll(store: Store, holders: readonly Found[], io: Io): Promise<Holder[]> {
  const done: Holder[] = []
  for (const found of holders) {
    const work = (): Promise<Holder> =>
      redactLeak(store, found, { at: Date.now(), signal: io.signal })
    try {
      done.push(await whileWriting(io, `redacting ${shownName(found.session)}`, work))
    } catch (error) {
      if (!(error instanceof InterruptedError) || done.length === 0) throw error
      throw new InterruptedError(
        `interrupted: ${done.length} of ${holders.length} sessions are redacted. Run the same command again for the rest.`,
      )
    }
  }
  return done
}

/**
 * An earlier redaction may have been interrupted before every trace was gone; this completes it.
 */
async function nothingThere(
  store: Store,
  own: Found,
  name: string,
  left: readonly Holder[],
): Promise<never> {
  await redactLeak(store, own, { at: Date.now() })
  const elsewhere = left.length === 0 ? 'Nothing was changed.' : leftText(left)
  const remaining = [nearText([own]), unreadText([own])].filter((each) => each !== undefined)
  const session = shownName(own.session)
  const result =
    remaining.length === 0
      ? `no entry of ${session} contains ${name} in a form that is looked for. ${cannotBeFound}`
      : `${name} was not found in ${session} in a form that can be removed, but some entries may hold it.`
  throw new CommandError([result, elsewhere, ...remaining].join(' '))
}

/** What the sessions of a store hold of a leak; its own comes first. */
async function foundIn(store: Store, leak: Leak, io: Io): Promise<Found[]> {
  const sessions = await store.sessions()
  const status = statusLine(io)
  const holders: Found[] = []
  try {
    for (const [index, stored] of sessions.entries()) {
      await status.show((columns) =>
        clipColumns(`looking into ${index + 1} of ${counted(sessions.length, 'session')}`, columns),
      )
      const holder = await io.endingInTurn(() => holderOf(store, leak, stored))
      if (stored.id === leak.session) holders.unshift(holder)
      else holders.push(holder)
      await takeTurn(io)
    }
    return holders
  } finally {
    await status.clear()
  }
}

function questionText(holders: readonly Holder[], what: string): string {
  return `Redact ${what} in ${holders.map(holderText).join(', ')}? This cannot be undone.`
}

/** What was done, and what was not. */
function resultLines(
  done: readonly Holder[],
  left: readonly Holder[],
  source: string | undefined,
): (string | undefined)[] {
  return [
    ...done.map((holder) => `Redacted ${holderText(holder)}.`),
    left.length === 0 ? undefined : leftText(left),
    source === undefined
      ? undefined
      : `The file that it was imported from was not changed: ${source}`,
  ]
}

/** What looks like it, and what could not be examined. */
function remainsOf(looked: readonly Found[]): {
  near: (NearMiss & { session: string })[]
  sealed: Holder[]
  reasoning: Holder[]
  unread: { session: string; ref: string }[]
} {
  return {
    near: looked.flatMap(({ session, inspection }) =>
      inspection.near.map((miss) => ({ session, ...miss })),
    ),
    sealed: holders(looked, ({ sealed }) => sealed),
    reasoning: holders(looked, ({ reasoning }) => reasoning),
    unread: looked.flatMap(({ session, inspection }) =>
      inspection.unread.map((ref) => ({ session, ref })),
    ),
  }
}

function holders(looked: readonly Found[], of: (one: Inspection) => readonly Seq[]): Holder[] {
  return looked
    .map(({ session, inspection }) => ({ session, seqs: [...of(inspection)] }))
    .filter(({ seqs }) => seqs.length > 0)
}

function remainingLines(looked: readonly Found[], isText: boolean): (string | undefined)[] {
  const { sealed, reasoning } = remainsOf(looked)
  return [
    isText ? `Looked for it ${formsLookedFor.join('; ')}.` : undefined,
    sealed.length === 0
      ? undefined
      : `Removed what a provider compacted and only it can read, because that may contain it: ${sealed.map(holderText).join(', ')}. Throughline’s summary takes its place.`,
    reasoning.length === 0
      ? undefined
      : `Removed reasoning that only its provider can read, because that may contain it: ${reasoning.map(holderText).join(', ')}. It is not sent again.`,
    nearText(looked),
    unreadText(looked),
    cannotBeFound,
  ]
}

function nearText(looked: readonly Found[]): string | undefined {
  const { near } = remainsOf(looked)
  if (near.length === 0) return undefined
  const names = someNames(
    near.map(({ ref, why }) => `${ref} (${why})`),
    mostShown,
  )
  return `Look at these yourself, because they may hold it: ${names}.`
}

function unreadText(looked: readonly Found[]): string | undefined {
  const refs = remainsOf(looked).unread.map(({ ref }) => ref)
  return refs.length === 0
    ? undefined
    : `Not examined: ${counted(refs.length, 'image or file', 'images and files')}: ${someNames(refs, mostShown)}.`
}

function leftText(left: readonly Holder[]): string {
  return `Other sessions still contain it: ${someNames(left.map(holderText))}. --all-sessions redacts it in all.`
}

function holderText({ session, seqs }: Holder): string {
  const word = seqs.length === 1 ? 'entry' : counted(seqs.length, 'entry', 'entries')
  return seqs.length === 1
    ? `${word} ${seqs[0]} of ${shownName(session)}`
    : `${word} of ${shownName(session)} (${seqRanges(seqs)})`
}
