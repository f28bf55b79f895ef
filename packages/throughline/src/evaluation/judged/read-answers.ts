import { ThroughlineError } from '../../log/throughline-error.ts'
import { fieldsOf, textOf } from '../../json/fields.ts'

/** What is asked of a context, and what the session says about it. */
export interface JudgedQuestion {
  question: string
  answer: string
}

/** What became of one answer. */
export type Grade = 'right' | 'wrong' | 'unknown'

/** A model answered an exam in a form that can't be read. */
export class UnreadableAnswerError extends ThroughlineError<'UNREADABLE_ANSWER'> {
  static override readonly code = 'UNREADABLE_ANSWER'

  constructor({ wanted, answer }: { wanted: string; answer: string }) {
    super(
      UnreadableAnswerError.code,
      `the model should have answered with ${wanted}, but said ${JSON.stringify(answer.slice(0, 80))}. Run it again, or use a model that follows such an instruction.`,
    )
  }
}

/** @throws UnreadableAnswerError */
export function questionsIn(text: string): JudgedQuestion[] {
  const wanted = 'a JSON array of questions'
  return arrayIn(text, wanted).flatMap((item) => {
    const question = textOf(fieldsOf(item)?.['question'])
    const answer = textOf(fieldsOf(item)?.['answer'])
    return question && answer ? [{ question, answer }] : []
  })
}

/** @throws UnreadableAnswerError if it isn't one for each question. */
export function answersIn(text: string, count: number): string[] {
  const wanted = `a JSON array of ${count} answers`
  const answers = arrayIn(text, wanted)
  if (answers.length !== count) throw new UnreadableAnswerError({ wanted, answer: text })
  return answers.map((answer) => (typeof answer === 'string' ? answer : JSON.stringify(answer)))
}

/** @throws UnreadableAnswerError if it isn't one for each answer. */
export function gradesIn(text: string, count: number): Grade[] {
  const wanted = `a JSON array of ${count} grades`
  const grades = arrayIn(text, wanted)
  if (grades.length !== count) throw new UnreadableAnswerError({ wanted, answer: text })
  return grades.map((grade) => (/^\W*right/i.test(String(grade)) ? 'right' : 'wrong'))
}

/** The array of an answer, whatever a model says before and after it. */
function arrayIn(text: string, wanted: string): unknown[] {
  try {
    const found: unknown = JSON.parse(text.slice(text.indexOf('['), text.lastIndexOf(']') + 1))
    if (Array.isArray(found)) return found
  } catch {
    // Said below.
  }
  throw new UnreadableAnswerError({ wanted, answer: text })
}
