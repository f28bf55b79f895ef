import { policyOf } from '../../config/policy-of.ts'
import { RecallQuestionError } from '../../session/recall/errors.ts'
import { recall } from '../../session/recall/recall.ts'
import { memoryStore } from '../../stores/memory.ts'
import { configurationFor } from '../config/options.ts'
import { CommandError } from '../errors.ts'
import { exitCodes } from '../exit-code.ts'
import { usage } from '../parse-arguments.ts'
import { safeJson } from '../safe-json.ts'
import { sessionArgument } from '../session-argument.ts'
import { painted } from '../show/painted.ts'
import { chooseSession, type ChosenSession } from '../store/choose-session.ts'
import { inStore } from '../store/open-store.ts'
import { readChosen } from '../store/read-session.ts'
import { jsonOption, storeOptions } from '../store/options.ts'
import { shownName } from '../store/shown-name.ts'
import { tokenOption } from '../token-option.ts'
import { answerText, moreText } from './answer-text.ts'
import { questionIn } from './question.ts'
import { argument, type Command, type ParsedArguments } from '../command.ts'
import type { Configuration } from '../../config/load-config.ts'
import type { Store } from '../../session/store.ts'
import type { Io } from '../io.ts'

export const recallCommand: Command = {
  name: 'recall',
  group: 'Sessions in the store',
  summary: 'Find what was said, read or printed in a session, word for word.',
  description: [
    'Answers from all that was ever said, whatever was pruned, clipped or summarised since: what a ref names, where words stand, or with --path what was done to a file, the newest first. It is what an agent asks through throughline mcp.',
  ],
  arguments: [
    sessionArgument,
    { name: 'question', give: 'a ref, or words, or --path FILE', rest: true, optional: true },
  ],
  options: [
    {
      name: 'path',
      value: 'FILE',
      help: 'Show what was done to this file instead: its path, or the end of it.',
    },
    { name: 'tokens', value: 'TOKENS', help: 'The most to print (default 4k).' },
    { name: 'offset', value: 'N', help: 'Go on where the last answer ended, as it said.' },
    jsonOption,
    ...storeOptions,
  ],
  examples: [
    { command: 'throughline recall made feature config', does: 'See where these words stand.' },
    {
      command: 'throughline recall made --path file1.ts',
      does: 'See what was done to a file.',
    },
    { command: 'throughline recall session.jsonl 2', does: 'Read back entry 2 of a file.' },
  ],
  run: runRecall,
}

async function runRecall(parsed: ParsedArguments, io: Io): Promise<number> {
  const question = questionIn(parsed)
  const tokens = tokenOption('recall', 'tokens', parsed.values.get('tokens'))
  const configuration = await configurationFor('recall', parsed, io)
  const word = argument(parsed, 'session')
  const chosen = await chooseSession(word, configuration, io)
  const { lenses } = policyOf(configuration, undefined)
  const answer = await inChosen(chosen, configuration, io, (store, session) =>
    recall(store, session, question, { lenses, ...(tokens !== undefined && { tokens }) }),
  ).catch((error: unknown) => {
    throw error instanceof RecallQuestionError && error.problem === 'no-words'
      ? usage('recall', 'the question has no letter and no digit in it')
      : error
  })
  const session = chosen.type === 'stored' ? chosen.session.id : word
  if (parsed.flags.has('json')) {
    const { passages, match = null, next = null } = answer
    await io.stdout.write(`${safeJson({ version: 1, session, passages, match, next })}\n`)
    return exitCodes.done
  }
  if (answer.passages.length === 0) {
    throw new CommandError(
      `nothing was found in ${shownName(session)}. Ask for other or fewer words; the beginning of a word is enough.`,
    )
  }
  await io.stdout.write(painted(answerText(answer), io))
  const more = moreText(answer, session)
  if (more !== undefined) await io.stderr.write(`${more}\n`)
  return exitCodes.done
}

/** Works on a stored session, or on one that is read from where it is. */
async function inChosen<Result>(
  chosen: ChosenSession,
  configuration: Configuration,
  io: Io,
  work: (store: Store, session: string) => Promise<Result>,
): Promise<Result> {
  if (chosen.type === 'stored') {
    return inStore(configuration, io, (store) => work(store, chosen.session.id))
  }
  const { log } = await readChosen(chosen, configuration, io)
  const store = memoryStore()
  await store.append('file', log)
  return work(store, 'file')
}
