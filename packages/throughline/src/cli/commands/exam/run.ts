import { measuredSession } from '../../../evaluation/measured-session.ts'
import { parseRef } from '../../../log/ref.ts'
import { argument, type ParsedArguments } from '../../command.ts'
import { chooseSession } from '../../source/choose-session.ts'
import { chosenModel } from '../compact/model/chosen-model.ts'
import { CommandError, exitCodes } from '../../errors.ts'
import { configurationFor } from '../../configuration.ts'
import { examCut, examining, usualCompactors, type ExaminedContext } from './contexts.ts'
import { examLines } from './exam-lines.ts'
import { judgedBy } from './judged-by.ts'
import { readChosen } from '../../source/read-session.ts'
import { safeJson, sessionFile, storeFiles, targetAt } from '../../output/target.ts'
import { storeFile } from '../../store/open-store.ts'
import { tokenOption } from '../../sizes/window-choice.ts'
import { usage } from '../../parse-arguments.ts'
import { whileShowing } from '../../terminal/status-line.ts'
import { withThousands } from '../../terminal/numbers.ts'
import type { Io } from '../../io.ts'

const usualKeep = 8_000
const usualQuestions = 24
const usualFile = 'throughline-exam.json'

/** Measures what contexts of a session still know. */
export async function runExam(parsed: ParsedArguments, io: Io): Promise<number> {
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
  const usual = await whileShowing(io, `making contexts of ${withThousands(keep)} tokens`, () =>
    Promise.all(
      usualCompactors(cut).map(async (compactor): Promise<ExaminedContext> =>
        examined(compactor.name, await made(compactor)),
      ),
    ),
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
