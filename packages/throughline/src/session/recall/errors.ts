import { ThroughlineError } from '../../log/throughline-error.ts'

/** What is wrong with a question. */
export type QuestionProblem = 'nothing' | 'several' | 'no-words' | 'too-long' | 'offset' | 'end'

/** A question that can't be answered; the message says how to ask. */
export class RecallQuestionError extends ThroughlineError<'RECALL_QUESTION'> {
  static override readonly code = 'RECALL_QUESTION'

  readonly problem: QuestionProblem

  constructor({ problem, detail }: { problem: QuestionProblem; detail: string }) {
    super(RecallQuestionError.code, detail)
    this.problem = problem
  }
}
