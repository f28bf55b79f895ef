import { paintFor } from '../../terminal/colour.ts'
import { counted, percent, withThousands } from '../../terminal/numbers.ts'
import { shareRight, type JudgedExam } from '../../../evaluation/judged/judged-exam.ts'
import { indentedText, table, type Column } from '../../terminal/table.ts'
import type { ExamCut, ExaminedContext } from './contexts.ts'
import type { Io } from '../../io.ts'
import type { MeasuredSession } from '../../../evaluation/measured-session.ts'
import type { Seq } from '../../../log/entry.ts'

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

/** The table of an exam, for a reader. */
export function examLines(
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
    context.names.needed === 0 ? none : percent(context.names.held, context.names.needed),
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
