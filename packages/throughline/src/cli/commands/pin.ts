import { messageText, partText } from '../../log/message.ts'
import { CommandError } from '../errors.ts'
import { usage } from '../parse-arguments.ts'
import { clipColumns } from '../terminal/columns.ts'
import { typedText } from '../source/typed-text.ts'
import { sanitizeLine } from '../../log/sanitize.ts'
import { parseRef } from '../../log/ref.ts'
import { jsonOption, storedSessionArgument, storeOptions } from '../shared-options.ts'
import { notRef, seqIn } from '../store/seqs.ts'
import { onSession } from '../store/session-work.ts'
import { shownName } from '../store/session-name.ts'
import { argument, type Command, type ParsedArguments } from '../command.ts'
import type { Io } from '../io.ts'
import type { Ref, Seq } from '../../log/entry.ts'
import type { Session } from '../../session/session.ts'
import type { Result } from '../store/result.ts'

export const pinCommand: Command = {
  name: 'pin',
  description: [
    'A pinned text is part of every summary, word for word. It can be your own text or the text of a message in the session. Pins and the human’s standing rules together may fill a quarter of the window.',
    'From the next compaction on, a removed pin is no longer kept. The summary lists it as taken back, so that the model knows that it no longer applies.',
  ],
  arguments: [
    storedSessionArgument,
    { name: 'text', give: 'the text to keep, - for standard input, or --ref REF', optional: true },
  ],
  options: {
    '--ref REF': 'Keep the text of this message or part: 12 or 12.0.',
    '--remove':
      'Stop keeping a text: give the number of its pin, as printed by this command and by throughline report --log.',
    ...jsonOption,
    ...storeOptions,
  },
  examples: {
    'throughline pin made "The release is on Friday."': 'Keep a sentence of your own.',
    'throughline pin made - < secret.txt': 'Keep what is in a file.',
    'throughline pin made --ref 1': 'Keep the text of message 1.',
    'throughline pin --remove made 170': 'Remove the pin that is entry 170.',
  },
  run: async (parsed, io) => {
    if (parsed.flags.has('remove')) {
      if (parsed.values.has('ref')) throw usage('pin', '--remove takes a pin back: omit --ref')
      const number = argument(parsed, 'text')
      if (number === '') throw usage('pin', 'which pin? Give its number')
      const seq = seqIn('pin', '<pin>', number)
      return onSession('pin', parsed, io, (session) => unpin(session, seq))
    }
    const given = askedFor(parsed)
    const asked = 'text' in given && given.text === '-' ? { text: await inputOf(io) } : given
    return onSession('pin', parsed, io, async (session) => {
      // Pins and rules share their room, and the rules of a long session take long to read.
      await io.endingInTurn(() => session.facts())
      return pin(session, asked)
    })
  },
}

/** @throws UsageError if there is nothing to keep. */
async function inputOf(io: Io): Promise<string> {
  const text = (await typedText(io, 'this is too long for a pin.')).trim()
  if (text === '') throw usage('pin', 'standard input is empty: there is nothing to pin')
  return text
}

type Asked = { text: string } | { ref: Ref }

function askedFor(parsed: ParsedArguments): Asked {
  const text = argument(parsed, 'text')
  const ref = parsed.values.get('ref')
  if (ref !== undefined && text !== '') {
    throw usage('pin', 'a text and --ref cannot be combined: use only one')
  }
  if (ref === undefined) {
    if (text.trim() !== '') return { text }
    throw usage('pin', 'what should be kept? Give a text, or --ref REF')
  }
  if (parseRef(ref)) return { ref: ref as Ref }
  throw notRef('pin', ref, '--ref must be')
}

async function pin(session: Session, asked: Asked): Promise<Result> {
  const text = 'text' in asked ? asked.text : await textIn(session, asked.ref)
  const ref = 'ref' in asked ? asked.ref : undefined
  const pins = [...session.context().pins]
  const [before] = pins.find(([, active]) => active.text === text && active.ref === ref) ?? []
  const seq = before ?? (await session.pin(text, ref))
  const name = shownName(session.id)
  return {
    json: { session: session.id, pin: seq, text, ref: ref ?? null },
    lines: [
      `${before === undefined ? 'Pinned' : 'Already pinned'} as ${seq} in ${name}: ${clipColumns(sanitizeLine(text.slice(0, 400)), 200)}`,
      `To undo this: throughline pin --remove ${name} ${seq}`,
    ],
  }
}

async function unpin(session: Session, seq: Seq): Promise<Result> {
  const text = session.context().pins.get(seq)?.text ?? ''
  await session.unpin(seq)
  const name = shownName(session.id)
  return {
    json: { session: session.id, unpinned: seq, text },
    lines: [
      `Removed pin ${seq} of ${name}: ${clipColumns(sanitizeLine(text.slice(0, 400)), 200)}`,
      `To pin it again: throughline pin ${name} TEXT`,
    ],
  }
}

/**
 * The text of a message or part.
 * @throws CommandError if there is none.
 */
async function textIn(session: Session, ref: Ref): Promise<string> {
  const said = await session.read(ref)
  const text = 'role' in said ? messageText(said) : partText(said)
  if (text.trim() !== '') return text
  throw new CommandError(`${ref} contains no text, so there is nothing to pin. Give a text.`)
}
