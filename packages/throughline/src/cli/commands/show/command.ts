import { policyOf } from '../../../config/policy-of.ts'
import { configurationFor } from '../../configuration.ts'
import { exitCodes } from '../../errors.ts'
import { usage } from '../../parse-arguments.ts'
import { sessionArgument, jsonOption, storeOptions } from '../../shared-options.ts'
import { chooseSession } from '../../source/choose-session.ts'
import { readChosen } from '../../source/read-session.ts'
import { namedJson, namedText, readNamed } from './one-ref.ts'
import { views } from './views.ts'
import { argument, type Command, type ParsedArguments } from '../../command.ts'
import type { Io } from '../../io.ts'
import { takeTurn } from '../../terminal/turn.ts'

export const showCommand: Command = {
  name: 'show',
  description: [
    'Shows what was said in a session, as its user saw it, whatever was compacted since. Every passage has a ref, by which it can be shown alone, pinned or redacted. With a ref, shows only that message or part.',
    'Text is printed without control, escape and bidi characters. JSON holds exactly what the session holds, with such characters escaped.',
  ],
  arguments: [
    sessionArgument,
    { name: 'ref', give: 'the number of an entry, or of a part of it: 12 or 12.0', optional: true },
  ],
  options: [
    {
      name: 'context',
      help: 'Show what the model sees instead: the summary and the kept messages.',
    },
    {
      name: 'log',
      help: 'Show every entry on one line: messages, checkpoints, prunings, pins, rewinds, notes.',
    },
    jsonOption,
    ...storeOptions,
  ],
  examples: [
    { command: 'throughline show made', does: 'Read a stored session.' },
    { command: 'throughline show made 3', does: 'Read one whole message of it.' },
    { command: 'throughline show made --log', does: 'See what was done to it, and when.' },
    {
      command: 'throughline show session.jsonl --context',
      does: 'See what the model sees of a session in a file.',
    },
  ],
  run: runShow,
}

async function runShow(parsed: ParsedArguments, io: Io): Promise<number> {
  const ref = argument(parsed, 'ref')
  const view = viewOf(parsed, ref)
  const json = parsed.flags.has('json')
  const configuration = await configurationFor('show', parsed, io)
  const chosen = await chooseSession(argument(parsed, 'session'), configuration, io)
  if (ref !== '') {
    const named = await readNamed(ref, chosen, configuration, io)
    await io.stdout.write(json ? namedJson(named) : namedText(named, io))
    return exitCodes.done
  }
  const session = await readChosen(chosen, configuration, io)
  const policy = policyOf(configuration, session.facts.model)
  await writePieces(views[view][json ? 'json' : 'text']({ session, policy, io }), io)
  return exitCodes.done
}

function viewOf({ flags }: ParsedArguments, ref: string): keyof typeof views {
  const asked = (['context', 'log'] as const).filter((name) => flags.has(name))
  const [view, other] = asked
  if (other) throw usage('show', '--context and --log show different things: use only one')
  if (view && ref !== '') {
    throw usage('show', `a ref shows one entry and --${view} shows them all: use only one`)
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
