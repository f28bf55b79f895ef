import { ThroughlineError } from '../../log/throughline-error.ts'

/** What is wrong with a question. */
export type QuestionProblem = 'nothing' | 'several' | 'no-words' | 'too-long' | 'offset' | 'end'

/** A question that cannot be answered; the message says how to ask. */
export class RecallQuestionError extends ThroughlineError<'RECALL_QUESTION'> {
  readonly problem: QuestionProblem

  constructor({ problem, detail }: { problem: QuestionProblem; detail: string }) {
    super('RECALL_QUESTION', detail)
    this.problem = problem
  }
}

/** The store holds nothing of this session. */
export class SessionNotFoundError extends ThroughlineError<'SESSION_NOT_FOUND'> {
  readonly session: string

  constructor({ session, known }: { session: string; known: readonly string[] }) {
    const names = known.map((id) => JSON.stringify(id.slice(0, 60)))
    super(
      'SESSION_NOT_FOUND',
      `There is no session ${JSON.stringify(session.slice(0, 60))} in the store. ${names.length === 0 ? 'It is empty.' : `Its newest sessions are ${names.join(', ')}.`}`,
    )
    this.session = session
  }
}
