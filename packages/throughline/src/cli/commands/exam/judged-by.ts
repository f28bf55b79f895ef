import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { costOf, pricesOf } from '../../../tokens/prices.ts'
import { fieldsOf, parsedJson } from '../../../json/fields.ts'
import { foldTranscript } from '../../../compaction/summary/with-model/fold-transcript.ts'
import {
  judge,
  judgedSize,
  nothingJudged,
  type JudgedContext,
  type JudgedExam,
} from '../../../evaluation/judged/judged-exam.ts'
import { stepTexts } from '../../../compaction/summary/transcript-text.ts'
import { throughlineCompactor, type Compactor } from '../../../evaluation/throughline-compactor.ts'
import { tokensOf } from '../../../evaluation/visible.ts'
import { askerFor, summarizerOf } from '../compact/model/summarizer-for.ts'
import { clipColumns } from '../../terminal/columns.ts'
import { CommandError, InterruptedError, codeOf } from '../../errors.ts'
import { ThroughlineError } from '../../../log/throughline-error.ts'
import { confirmed } from '../../store/confirm.ts'
import { dollarText, withThousands } from '../../terminal/numbers.ts'
import { errorLine } from '../../../log/error-line.ts'
import { refusedIn } from '../../../compaction/summary/with-model/refused.ts'
import { remedyFor } from '../compact/model/model-cost.ts'
import { safeJson, type Target } from '../../output/target.ts'
import { sanitizeLine } from '../../../log/sanitize.ts'
import { shownPath } from '../../paths.ts'
import { statusLine } from '../../terminal/status-line.ts'
import { writeTarget } from '../../output/write-file.ts'
import type { AskModel } from '../../../integrations/conversation/head-summarizer.ts'
import type { ChosenModel } from '../compact/model/chosen-model.ts'
import type { Entry } from '../../../log/entry.ts'
import type { ExamCut, ExaminedContext } from './contexts.ts'
import type { Io } from '../../io.ts'
import type { MeasuredSession } from '../../../evaluation/measured-session.ts'
import type { ParsedArguments } from '../../command.ts'

/** How much of the steps that followed is shown to the model that writes the questions, in bytes / 4. */
const afterTokens = 6_000
/** How much of the beginning is read in one request, in bytes / 4. */
const partTokens = 40_000

interface Judging {
  session: MeasuredSession
  cut: ExamCut
  /** The contexts that no model wrote. */
  usual: readonly ExaminedContext[]
  /** Whether a context with the model's own summary is examined, too. */
  summaries: boolean
  made: (compactor: Compactor) => Promise<string>
  count: number
  target: Target
  keep: number
  parsed: ParsedArguments
  io: Io
}

/** An exam, and the contexts that were examined. */
interface Judged {
  exam: JudgedExam
  contexts: readonly JudgedContext[]
}

interface ExamFile {
  /** The hash of what is examined. */
  of: string
  exam: JudgedExam
  /** The context with the model's own summary, once it is made. */
  written?: string
}

/** Lets a model examine, after its cost was agreed to; `undefined` if it was not. */
export async function judgedBy(
  model: ChosenModel,
  { session, cut, usual, summaries, made, count, target, keep, parsed, io }: Judging,
): Promise<Judged | undefined> {
  const { length } = cut.cut
  const head = partsOf(session.log.slice(0, length), partTokens)
  const [after = ''] = partsOf(session.log.slice(length), afterTokens)
  const texts = usual.map(({ text }) => text)
  const of = createHash('sha256')
    .update(JSON.stringify([head, after, keep, count, model.model, summaries, texts]))
    .digest('hex')
  const before = await earlierExam(target, of)
  if (!before) {
    const sizes = head.map(tokensOf)
    const size = judgedSize({
      // A summary reads the beginning, too.
      head: summaries ? [...sizes, ...sizes] : sizes,
      after: tokensOf(after),
      contexts: [...usual.map(({ tokens }) => tokens), ...(summaries ? [keep] : [])],
      count,
    })
    const prices = pricesOf(model.model)
    const cost = prices ? `about ${dollarText(costOf(size, prices))}` : 'the price is unknown'
    const asked = `${model.model} will read about ${withThousands(size.inputTokens)} tokens and write about ${withThousands(size.outputTokens)}: ${cost}.`
    if (parsed.flags.has('yes')) await io.stderr.write(`${asked}\n`)
    if (!(await confirmed('exam', `${asked} Go on?`, parsed, io))) return undefined
  }
  const asker = await askerFor(model)
  const ask: AskModel = ({ signal, ...question }) =>
    asker({ ...question, signal: signal ? AbortSignal.any([signal, io.signal]) : io.signal })
  const status = statusLine(io)
  let file: ExamFile = before ?? { of, exam: nothingJudged }
  const keepFile = async (next: ExamFile, done: string): Promise<void> => {
    file = next
    await writeTarget(target, `${safeJson({ version: 1, model: model.model, ...file })}\n`)
    await status.clear()
    await status.show((columns) => clipColumns(`done: ${done}`, columns))
  }
  try {
    const name = `Throughline, ${model.model}`
    if (summaries && file.written === undefined) {
      const summarizer = summarizerOf(model, ask)
      const written = await made(onlyByModel(throughlineCompactor({ name, summarizer }), io))
      await keepFile({ ...file, written }, 'the summary')
    }
    const { written } = file
    const contexts = [...usual, ...(written === undefined ? [] : [{ name, text: written }])]
    const exam = await judge(file.exam, {
      ask: (question) =>
        ask(question).catch((error: unknown) => {
          throw withoutAnswer(error, model, io)
        }),
      head,
      after,
      contexts,
      count,
      onProgress: (next, done) => keepFile({ ...file, exam: next }, done),
    })
    return { exam, contexts }
  } finally {
    await status.clear()
  }
}

/** The compactor, but no context in which the model’s own summary is missing. */
function onlyByModel({ name, compact }: Compactor, { signal }: Io): Compactor {
  return {
    name,
    compact: async (request) => {
      const made = await compact(request)
      const added = made.log.slice(request.log.length)
      const problems = added.flatMap((entry) =>
        entry.kind === 'observation' && entry.observation.type === 'failure'
          ? entry.observation.problems
          : [],
      )
      if (problems.length === 0) return made
      if (signal.aborted) throw interrupted()
      const why = sanitizeLine([...new Set(problems)].join('; ').slice(0, 400))
      throw new CommandError(
        `the model wrote no summary that can be used (${why}). Run it again, or omit --summaries.`,
      )
    },
  }
}

function interrupted(): InterruptedError {
  return new InterruptedError('interrupted. The same command goes on where this one stopped.')
}

/** Why a model gave no answer, and what to do. */
function withoutAnswer(error: unknown, model: ChosenModel, { signal }: Io): Error {
  if (signal.aborted) return interrupted()
  if (ThroughlineError.isInstance(error)) return error
  const refused = refusedIn(error)
  const remedy = refused === undefined ? '' : ` ${remedyFor(model, refused)}`
  const said = errorLine(error).replace(/[.:\s]+$/, '')
  return new CommandError(`${said}.${remedy} The same command goes on where this one stopped.`, {
    cause: error,
  })
}

/** What was said and done, and by whom, in parts that a model can read at once. */
function partsOf(entries: readonly Entry[], room: number): string[] {
  const messages = entries.flatMap((entry) => (entry.kind === 'message' ? [entry.message] : []))
  const parts = foldTranscript(stepTexts(messages), { room, count: tokensOf })
  return parts.map((steps) => steps.join('\n\n'))
}

/**
 * What is known of the same exam; `undefined` if there is no such file.
 * @throws CommandError if the file holds anything else, which was perhaps paid for.
 */
async function earlierExam({ name, path }: Target, of: string): Promise<ExamFile | undefined> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined || text === '') return undefined
  const found = fieldsOf(parsedJson(text))
  if (found?.['of'] === of) return found as unknown as ExamFile
  throw new CommandError(
    `${shownPath(name)} holds another exam, or something else. Name another file with -o, or delete this one.`,
  )
}
