import { providerNames, chosenModel } from '../compact/model/chosen-model.ts'
import { jsonOption, sessionArgument, storeOptions, yesOption } from '../../shared-options.ts'
import { type Command, argument, type ParsedArguments } from '../../command.ts'
import { measuredSession, type MeasuredSession } from '../../../evaluation/measured-session.ts'
import { parseRef } from '../../../log/ref.ts'
import { chooseSession } from '../../source/choose-session.ts'
import { CommandError, exitCodes } from '../../errors.ts'
import { configurationFor } from '../../configuration.ts'
import {
  examCut,
  examining,
  usualCompactors,
  type ExaminedContext,
  type ExamCut,
} from './contexts.ts'
import { judgedBy } from './judged-by.ts'
import { readChosen } from '../../source/read-session.ts'
import { safeJson, sessionFile, storeFiles, targetAt } from '../../output/target.ts'
import { storeFile } from '../../store/open-store.ts'
import { tokenOption } from '../../sizes/window-choice.ts'
import { usage } from '../../parse-arguments.ts'
import { whileComputing } from '../../terminal/status-line.ts'
import { withThousands, counted, percent } from '../../terminal/numbers.ts'
import type { Io } from '../../io.ts'
import { paintFor } from '../../terminal/colour.ts'
import { shareRight, type JudgedExam } from '../../../evaluation/judged/judged-exam.ts'
import { indentedText, table, type Column } from '../../terminal/table.ts'
import type { Seq } from '../../../log/entry.ts'

export const examCommand: Command = {
  name: 'exam',
  description: [
    'Measures on a session of your own what a context still knows. The session is cut where its client compacted it last, or in its middle. Contexts of the beginning are made by Throughline, by the client’s own compaction where the session holds it, and by keeping the newest messages alone. Then the command looks at the steps that really followed.',
    'Without --model, code decides: what the human said word for word, the changed files, and the names that the next 40 calls needed. Nothing is sent anywhere.',
    'With --model, that model also writes questions from the beginning and the steps that followed, answers them from each context, and grades the answers without knowing which context they come from. Its cost is told before, and asked for. Questions, answers and grades are written to a file after each request. If the exam is interrupted, the same command goes on from there. A file that holds anything else is not overwritten.',
  ],
  arguments: [sessionArgument],
  options: {
    '--keep TOKENS':
      'The size of the contexts, as bytes / 4. Default: that of the client’s own context, else 8k.',
    '--at ENTRY': 'Cut after this entry instead.',
    '--model PROVIDER/MODEL': `The model that examines, such as anthropic/claude-haiku-4-5 or ollama/qwen3. Providers: ${providerNames.join(', ')}, and those of the AI SDK. The key is taken from the environment.`,
    '--base-url URL':
      'Ask a server of your own that speaks OpenAI’s API, such as http://127.0.0.1:8080/v1.',
    '--summaries': 'Also examine a context whose summary --model writes.',
    '-n, --questions N': 'How many questions to ask (default 24).',
    '-o, --output FILE':
      'The file of questions, answers and grades. Default: throughline-exam.json.',
    ...yesOption,
    ...jsonOption,
    ...storeOptions,
  },
  examples: {
    'throughline exam session.jsonl':
      'See what each context of 8,000 tokens still states. No model is called.',
    'throughline exam session.jsonl --keep 4k --json': 'The same for 4,000 tokens, as JSON.',
  },
  run: runExam,
}

const usualKeep = 8_000
const usualQuestions = 24
const usualFile = 'throughline-exam.json'

/** Measures what contexts of a session still know. */
async function runExam(parsed: ParsedArguments, io: Io): Promise<number> {
  const { values, flags } = parsed
  const keepAsked = tokenOption('exam', 'keep', values.get('keep'))
  const count = countIn(values.get('questions'))
  const at = entryIn(values.get('at'))
  const model = chosenModel('exam', values, io.env)
  const summaries = flags.has('summaries')
  const idle = ['summaries', 'questions', 'output'].find(
    (name) => flags.has(name) || values.has(name),
  )
  if (!model && idle !== undefined) throw usage('exam', `--${idle} needs --model`)
  const configuration = await configurationFor('exam', parsed, io)
  const chosen = await chooseSession(argument(parsed, 'session'), configuration, io)
  const kept = [
    ...storeFiles(storeFile(configuration)),
    ...(chosen.type === 'file' ? [sessionFile(chosen.path)] : []),
  ]
  const target = model && (await targetAt(values.get('output') ?? usualFile, kept, io.cwd))
  const read = await readChosen(chosen, configuration, io)
  const { session, cut, keep, made, examined, usual } = await whileComputing(
    io,
    `making contexts of ${read.name}`,
    async () => {
      const session = measuredSession(read.name, read)
      const cut = examCut(session, at)
      if (!cut) {
        throw new CommandError(
          at === undefined
            ? `${read.name} is too short to be cut: it needs steps before and after.`
            : `--at ${at}: the session needs entries before and after it.`,
        )
      }
      const keep = keepAsked ?? cut.own?.tokens ?? usualKeep
      const { made, examined } = examining(session, cut, { keep })
      const usual = await Promise.all(
        usualCompactors(cut).map(async (compactor): Promise<ExaminedContext> =>
          examined(compactor.name, await made(compactor)),
        ),
      )
      return { session, cut, keep, made, examined, usual }
    },
  )
  const judged =
    model && target
      ? await judgedBy(model, {
          session,
          cut,
          usual,
          summaries,
          made,
          count,
          target,
          keep,
          parsed,
          io,
        })
      : undefined
  if (model && !judged) return exitCodes.done
  const contexts = judged ? judged.contexts.map(({ name, text }) => examined(name, text)) : usual
  if (flags.has('json')) {
    const object = {
      version: 1,
      session: read.name,
      seq: cut.seq,
      compacted: cut.own !== undefined,
      keep,
      contexts: contexts.map(({ name, tokens, human, files, names }) => ({
        name,
        tokens,
        human,
        files,
        names,
      })),
      ...(judged && { model: model?.model, exam: judged.exam }),
    }
    await io.stdout.write(`${safeJson(object)}\n`)
    return exitCodes.done
  }
  const shown = { name: read.name, session, cut, at, keep, contexts, exam: judged?.exam }
  await io.stdout.page(`${examLines(shown, io).join('\n')}\n`)
  return exitCodes.done
}

function countIn(text: string | undefined): number {
  if (text === undefined) return usualQuestions
  const count = Number(text)
  if (/^\d{1,3}$/.test(text) && count > 0) return count
  throw usage(
    'exam',
    `--questions must be a number from 1 to 999, not ${JSON.stringify(text.slice(0, 40))}`,
  )
}

function entryIn(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const ref = parseRef(text)
  if (ref) return ref.seq
  throw usage(
    'exam',
    `--at must be the number of an entry, not ${JSON.stringify(text.slice(0, 40))}`,
  )
}

interface Examined {
  name: string
  session: MeasuredSession
  cut: ExamCut
  /** The entry that was asked for. */
  at: Seq | undefined
  keep: number
  contexts: readonly ExaminedContext[]
  exam: JudgedExam | undefined
}

const none = '–'

function ofAll(part: number, all: number): string {
  return all === 0 ? none : `${part}/${all}`
}

function examLines(
  { name, session, cut, at, keep, contexts, exam }: Examined,
  { stdout, env }: Io,
): string[] {
  const paint = paintFor(stdout, env)
  const left = session.log.length - cut.cut.length
  const where = cut.own
    ? `, where ${session.harness} compacted it`
    : at === undefined
      ? ', in its middle'
      : ''
  const head = [
    `${name}, cut after entry ${cut.seq}${where}: ${withThousands(cut.cut.size)} tokens before, ${withThousands(left)} entries after`,
    `Contexts of ${withThousands(keep)} tokens (bytes / 4)`,
  ]
  const columns = columnsOf('context', [
    'tokens',
    'your sentences',
    'changed files',
    'needed names',
  ])
  const rows = contexts.map((context) => [
    context.name,
    withThousands(context.tokens),
    ofAll(context.human.held, context.human.said),
    ofAll(context.files.right, context.files.changed),
    ofAll(context.names.held, context.names.needed),
  ])
  const width = stdout.columns()
  const wrapped = (text: string): string[] => indentedText(text, { width, indent: 0 })
  const legend =
    'How much of it each context holds: your sentences word for word, the changed files as they are now, and the names that the next 40 calls needed.'
  const answered = exam
    ? [
        '',
        ...table(
          columnsOf(counted(exam.questions.length, 'question'), ['right', 'wrong', 'unknown']),
          contexts.map(({ name: own }) => [own, ...judgedCells(exam, own)]),
          width,
        ),
        '',
        ...wrapped('In brackets: the range in which the share lies in 95 of 100 such exams.'),
        `The model read ${withThousands(exam.usage.inputTokens)} tokens and wrote ${withThousands(exam.usage.outputTokens)}.`,
      ]
    : []
  return [
    ...head.flatMap(wrapped).map((line) => paint('dim', line)),
    '',
    ...table(columns, rows, width),
    '',
    ...wrapped(legend).map((line) => paint('dim', line)),
    ...answered,
  ]
}

function columnsOf(first: string, others: readonly string[]): Column[] {
  return [
    { heading: first, clip: 'end' },
    ...others.map((heading): Column => ({ heading, side: 'right' })),
  ]
}

function judgedCells({ grades }: JudgedExam, name: string): string[] {
  const own = grades[name] ?? []
  const { share, from, to } = shareRight(own)
  const of = (grade: string): string => String(own.filter((one) => one === grade).length)
  return [
    `${percent(share, 1)} (${percent(from, 1)}–${percent(to, 1)})`,
    of('wrong'),
    of('unknown'),
  ]
}
