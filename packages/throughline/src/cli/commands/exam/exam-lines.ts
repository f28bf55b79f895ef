import { paintFor } from '../../terminal/colour.ts'
import { percent, withThousands } from '../../terminal/numbers.ts'
import { shareRight, type JudgedExam } from '../../../evaluation/judged/judged-exam.ts'
import { table, type Column } from '../../terminal/table.ts'
import type { ExamCut, ExaminedContext } from './contexts.ts'
import type { Io } from '../../io.ts'
import type { MeasuredSession } from '../../../evaluation/measured-session.ts'

interface Examined {
  name: string
  session: MeasuredSession
  cut: ExamCut
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
  { name, session, cut, keep, contexts, exam }: Examined,
  { stdout, env }: Io,
): string[] {
  const paint = paintFor(stdout, env)
  const left = session.log.length - cut.cut.length
  const where = cut.own ? `where ${session.harness} compacted it` : 'where no compaction was'
  const head = [
    `${name}, cut after entry ${cut.seq} ${where}: ${withThousands(cut.cut.size)} tokens before, ${withThousands(left)} entries after`,
    `Contexts of ${withThousands(keep)} tokens (bytes / 4)`,
    '',
  ]
  const columns: Column[] = [
    { heading: 'context', clip: 'end' },
    ...['tokens', 'human’s sentences', 'changed files', 'names needed next'].map(
      (heading): Column => ({ heading, side: 'right' }),
    ),
    ...(exam
      ? ['right answers', 'wrong', 'unknown'].map((heading): Column => ({ heading, side: 'right' }))
      : []),
  ]
  const rows = contexts.map((context) => [
    context.name,
    withThousands(context.tokens),
    ofAll(context.human.held, context.human.said),
    ofAll(context.files.right, context.files.changed),
    context.names.needed === 0 ? none : percent(context.names.held, context.names.needed),
    ...(exam ? judgedCells(exam, context.name) : []),
  ])
  const notes = exam
    ? [
        '',
        `${exam.questions.length} questions. In brackets: the range in which the share lies in 95 of 100 such exams.`,
        `The model read ${withThousands(exam.usage.inputTokens)} tokens and wrote ${withThousands(exam.usage.outputTokens)}.`,
      ]
    : []
  return [
    ...head.map((line) => paint('dim', line)),
    ...table(columns, rows, stdout.columns()),
    ...notes,
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
