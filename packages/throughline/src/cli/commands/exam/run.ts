import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { costOf, pricesOf } from '../../../tokens/prices.ts'
import { fieldsOf } from '../../../json/fields.ts'
import {
  judge,
  judgedSize,
  nothingJudged,
  type JudgedExam,
} from '../../../evaluation/judged/judged-exam.ts'
import { measuredSession, type MeasuredSession } from '../../../evaluation/measured-session.ts'
import { parseRef } from '../../../log/ref.ts'
import { tokensOf, visibleText } from '../../../evaluation/visible.ts'
import { argument, type ParsedArguments } from '../../command.ts'
import { askerFor, summarizerFor } from '../compact/model/summarizer-for.ts'
import { chooseSession } from '../../source/choose-session.ts'
import { chosenModel, type ChosenModel } from '../compact/model/chosen-model.ts'
import { clipColumns } from '../../terminal/columns.ts'
import { CommandError, exitCodes } from '../../errors.ts'
import { configurationFor } from '../../configuration.ts'
import { confirmed } from '../../store/confirm.ts'
import { examCut, examinedContexts, type ExamCut, type ExaminedContext } from './contexts.ts'
import { examLines } from './exam-lines.ts'
import { readChosen } from '../../source/read-session.ts'
import { safeJson, sessionFile, storeFiles, targetAt, type Target } from '../../output/target.ts'
import { statusLine, whileShowing } from '../../terminal/status-line.ts'
import { storeFile } from '../../store/open-store.ts'
import { tokenOption } from '../../sizes/window-choice.ts'
import { usage } from '../../parse-arguments.ts'
import { dollarText, withThousands } from '../../terminal/numbers.ts'
import { writeTarget } from '../../output/write-file.ts'
import type { Io } from '../../io.ts'

const usualKeep = 8_000
const usualQuestions = 24
/** What of the steps that followed is shown to who writes the questions, in bytes / 4. */
const afterTokens = 6_000
/** So much of the beginning is read in one request, in bytes / 4. */
const partTokens = 40_000
const usualFile = 'throughline-exam.json'

/** Measures what contexts of a session still know. */
export async function runExam(parsed: ParsedArguments, io: Io): Promise<number> {
  const { values, flags } = parsed
  const keepAsked = tokenOption('exam', 'keep', values.get('keep'))
  const count = countIn(values.get('questions'))
  const at = entryIn(values.get('at'))
  const model = chosenModel(values, io.env)
  if (!model && flags.has('summaries')) throw usage('exam', '--summaries needs --model')
  const configuration = await configurationFor('exam', parsed, io)
  const chosen = await chooseSession(argument(parsed, 'session'), configuration, io)
  const kept = [
    ...storeFiles(storeFile(configuration)),
    ...(chosen.type === 'file' ? [sessionFile(chosen.path)] : []),
  ]
  const target = model && (await targetAt(values.get('output') ?? usualFile, kept, io.cwd))
  const read = await readChosen(chosen, configuration, io)
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
  const summarizer = model && flags.has('summaries') ? await summarizerFor(model) : undefined
  const contexts = await whileShowing(io, `making contexts of ${withThousands(keep)} tokens`, () =>
    examinedContexts(session, cut, { keep, summarizer }),
  )
  const judged =
    model && target
      ? await judgedBy(model, { session, cut, contexts, count, target, keep, parsed, io })
      : undefined
  if (model && !judged) return exitCodes.done
  if (flags.has('json')) {
    const { seq, own } = cut
    const object = {
      version: 1,
      session: read.name,
      seq,
      compacted: own !== undefined,
      keep,
      contexts: contexts.map(({ name, tokens, human, files, names }) => ({
        name,
        tokens,
        human,
        files,
        names,
      })),
      ...(judged && { model: model?.model, exam: judged }),
    }
    await io.stdout.write(`${safeJson(object)}\n`)
    return exitCodes.done
  }
  const lines = examLines({ name: read.name, session, cut, keep, contexts, judged }, io)
  await io.stdout.page(`${lines.join('\n')}\n`)
  return exitCodes.done
}

interface Judging {
  session: MeasuredSession
  cut: ExamCut
  contexts: readonly ExaminedContext[]
  count: number
  target: Target
  keep: number
  parsed: ParsedArguments
  io: Io
}

/** Lets a model examine, after its cost was agreed to; `undefined` if it was not. */
async function judgedBy(
  model: ChosenModel,
  { session, cut, contexts, count, target, keep, parsed, io }: Judging,
): Promise<JudgedExam | undefined> {
  const head = partsOf(session.log.slice(0, cut.cut.length).map(visibleText))
  const after = clippedTo(
    session.log.slice(cut.cut.length).map(visibleText).join('\n'),
    afterTokens,
  )
  const of = createHash('sha256')
    .update(
      JSON.stringify([head, after, keep, count, model.model, contexts.map(({ text }) => text)]),
    )
    .digest('hex')
  const before = await earlierExam(target, of)
  if (before === undefined) {
    const size = judgedSize({
      head: head.map(tokensOf),
      after: tokensOf(after),
      contexts: contexts.map(({ tokens }) => tokens),
      count,
    })
    const prices = pricesOf(model.model)
    const cost = prices ? `about ${dollarText(costOf(size, prices))}` : 'the price is unknown'
    const question = `${model.model} will read about ${withThousands(size.inputTokens)} tokens and write about ${withThousands(size.outputTokens)}: ${cost}. Go on?`
    if (!(await confirmed('exam', question, parsed, io))) return undefined
  }
  const ask = await askerFor(model)
  const status = statusLine(io)
  const { signal } = io
  try {
    return await judge(before ?? nothingJudged, {
      ask: (question) => ask({ ...question, signal }),
      head,
      after,
      contexts,
      count,
      onProgress: async (exam, done) => {
        await writeTarget(target, `${safeJson({ version: 1, of, model: model.model, ...exam })}\n`)
        await status.clear()
        await status.show((columns) => clipColumns(`done: ${done}`, columns))
      },
    })
  } finally {
    await status.clear()
  }
}

/** What is known of the same exam; `undefined` if nothing is, or of another one. */
async function earlierExam({ path }: Target, of: string): Promise<JudgedExam | undefined> {
  const text = await readFile(path, 'utf8').catch(() => '')
  try {
    const found = fieldsOf(JSON.parse(text))
    return found?.['of'] === of ? (found as unknown as JudgedExam) : undefined
  } catch {
    return undefined
  }
}

/** Texts joined to parts that can be read in one request. */
function partsOf(texts: readonly string[]): string[] {
  const parts: string[] = []
  let part = ''
  for (const text of texts) {
    const piece = clippedTo(text, partTokens)
    if (part !== '' && tokensOf(part) + tokensOf(piece) > partTokens) {
      parts.push(part)
      part = ''
    }
    part += `${piece}\n`
  }
  return part.trim() === '' ? parts : [...parts, part]
}

function clippedTo(text: string, tokens: number): string {
  return tokensOf(text) <= tokens ? text : `${text.slice(0, tokens * 4).toWellFormed()}…`
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
