import { policyOf } from '../../config/policy-of.ts'
import { RecallQuestionError } from '../../session/recall/errors.ts'
import { recall } from '../../session/recall/recall.ts'
import { memoryStore } from '../../stores/memory.ts'
import { configurationFor } from '../configuration.ts'
import { CommandError, exitCodes } from '../errors.ts'
import { countOption, usage } from '../parse-arguments.ts'
import { bareRef } from '../store/seqs.ts'
import { safeJson } from '../output/target.ts'
import { sessionArgument, jsonOption, storeOptions } from '../shared-options.ts'
import { painted, type Passage as Shown, type PassageKind } from '../transcript/passages.ts'
import { chooseSession, type ChosenSession } from '../source/choose-session.ts'
import { inStore } from '../store/open-store.ts'
import { readChosen } from '../source/read-session.ts'
import { shownName } from '../store/session-name.ts'
import { tokenOption } from '../sizes/window-choice.ts'
import { argument, type Command, type ParsedArguments, restOf } from '../command.ts'
import type { Configuration } from '../../config/load-config.ts'
import type { Store } from '../../session/store.ts'
import type { Io } from '../io.ts'
import { parseRef } from '../../log/ref.ts'
import { parseForeignRef } from '../../log/source.ts'
import { findSourceFor } from '../source/find-source.ts'
import type { RecallQuestion } from '../../session/recall/question.ts'
import { sanitize } from '../../log/sanitize.ts'
import { withThousands } from '../terminal/numbers.ts'
import { asText } from '../transcript/printed.ts'
import type { Passage } from '../../session/recall/passage.ts'
import type { RecallAnswer } from '../../session/recall/answer.ts'

export const recallCommand: Command = {
  name: 'recall',
  description: [
    'Searches everything that was ever said, even if it was pruned, clipped or summarized since. Finds what a ref names, where words occur, or, with --path, what was done to a file, newest first. Agents ask the same questions through throughline mcp.',
  ],
  arguments: [
    sessionArgument,
    { name: 'question', give: 'a ref, or words, or --path FILE', rest: true, optional: true },
  ],
  options: {
    '--path FILE': 'Show what was done to this file instead: its path, or the end of it.',
    '--tokens TOKENS': 'The most to print (default 4k).',
    '--offset N': 'Continue at this position, which the last answer shows at its end.',
    ...jsonOption,
    ...storeOptions,
  },
  examples: {
    'throughline recall made feature config': 'See where these words occur.',
    'throughline recall made --path file1.ts': 'See what was done to a file.',
    'throughline recall session.jsonl 2': 'Read back entry 2 of a file.',
  },
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
    recall(store, session, question, {
      lenses,
      find: findSourceFor(configuration, io),
      ...(tokens !== undefined && { tokens }),
    }),
  ).catch((error: unknown) => {
    throw error instanceof RecallQuestionError && error.problem === 'no-words'
      ? usage('recall', 'the question contains no letter and no digit')
      : error
  })
  const session = chosen.type === 'stored' ? chosen.session.id : word
  if (parsed.flags.has('json')) {
    const { passages, match = null, next = null } = answer
    await io.stdout.write(`${safeJson({ version: 1, session, passages, match, next })}\n`)
    return exitCodes.done
  }
  if (answer.passages.length === 0) {
    throw new CommandError(`nothing was found in ${shownName(session)}. ${adviceFor(question)}`)
  }
  await io.stdout.write(painted(answerText(answer), io))
  const more = moreText(answer, session)
  if (more !== undefined) await io.stderr.write(`${more}\n`)
  return exitCodes.done
}

/** Works on a stored session, or on one that is read from elsewhere. */
async function inChosen<Result>(
  chosen: ChosenSession,
  configuration: Configuration,
  io: Io,
  work: (store: Store, session: string) => Promise<Result>,
): Promise<Result> {
  if (chosen.type === 'stored') {
    return inStore(configuration, io, (store) =>
      io.endingInTurn(() => work(store, chosen.session.id)),
    )
  }
  const { log } = await readChosen(chosen, configuration, io)
  return io.endingAtOnce(async () => {
    const store = memoryStore()
    await store.append('file', log)
    return work(store, 'file')
  })
}

/**
 * The question: one word that is a ref, a path with `--path`, or words.
 * @throws UsageError
 */
function questionIn(parsed: ParsedArguments): RecallQuestion {
  const words = restOf(parsed, 'question')
  const path = parsed.values.get('path')
  const offset = countOption('recall', 'offset', parsed, { usual: 0, least: 0 })
  if (path !== undefined && words.length > 0) {
    throw usage('recall', 'words and --path are two questions: use only one')
  }
  if (path !== undefined) return { path, offset }
  const [first] = words
  if (first === undefined)
    throw usage('recall', 'what should be recalled? Give a ref or words, or --path FILE')
  const ref = bareRef(first)
  return words.length === 1 && (parseRef(ref) ?? parseForeignRef(ref))
    ? { ref, offset }
    : { words: words.join(' '), offset }
}

/** What may find something where a question found nothing. */
function adviceFor(question: RecallQuestion): string {
  if (question.offset) return `Use a smaller --offset than ${question.offset}, or none.`
  return 'path' in question
    ? 'Give a part of the path from its end, such as src/index.ts or index.ts.'
    : 'Try other words, or fewer; the beginning of a word is enough.'
}

function answerText({ passages, match }: RecallAnswer): string {
  const remark =
    match === 'any' ? 'No message has all of these words; these have some of them.\n\n' : ''
  return remark + asText(passages.map(shown))
}

/** How to continue where the answer ended; `undefined` if there is no more. */
function moreText({ next }: RecallAnswer, session: string): string | undefined {
  if (!next) return undefined
  const { offset = 0 } = next
  const question =
    'ref' in next
      ? next.ref
      : 'path' in next
        ? `--path ${shownName(next.path)}`
        : shownName(next.words)
  return `There is more: throughline recall ${shownName(session)} ${question} --offset ${offset}`
}

function shown(passage: Passage): Shown {
  const { ref, tool, start, length } = passage
  const text = sanitize(passage.text)
  const end = start + passage.text.length
  const part =
    start > 0 || end < length
      ? `\n[characters ${withThousands(start)} to ${withThousands(end)} of ${withThousands(length)}]`
      : ''
  return { kind: kindOf(passage), ref, text: text + part, ...(tool !== undefined && { tool }) }
}

function kindOf({ what, who }: Passage): PassageKind {
  if (what === 'call' || what === 'result') return what
  return what === 'reasoning' ? 'thinking' : sayers[who]
}

const sayers = {
  human: 'user',
  harness: 'harness',
  model: 'assistant',
  tool: 'note',
  synthetic: 'note',
} as const
