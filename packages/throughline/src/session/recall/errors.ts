import { ThroughlineError } from '../../log/throughline-error.ts'
import type { Source } from '../../log/entry.ts'

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

/** A ref into another session that can't be reached from here. */
export class RefSourceError extends ThroughlineError<'REF_SOURCE'> {
  static override readonly code = 'REF_SOURCE'

  readonly ref: string
  /** Where the ref belongs; `undefined` if nothing that can be read says so. */
  readonly source: Source | undefined

  constructor({
    ref,
    source,
    missing = [],
  }: {
    ref: string
    source?: Source
    /** Sources that were named on the way and can't be read from here. */
    missing?: readonly Source[]
  }) {
    const belongs = source
      ? `belongs to the ${shownSource(source)}, which can't be read from here`
      : 'belongs to another session, and nothing here names it'
    const others = missing.filter((each) => each !== source).map(shownSource)
    const way = others.length === 0 ? '' : ` It may be known to the ${others.join(', the ')}.`
    super(
      RefSourceError.code,
      `Ref ${JSON.stringify(ref.slice(0, 40))} ${belongs}.${way} ${whatToDo(source ?? missing[0])}`,
    )
    this.ref = ref
    this.source = source
  }
}

function shownSource({ kind, name }: Source): string {
  return `${kind} ${JSON.stringify(name.slice(0, 200))}`
}

function whatToDo(source: Source | undefined): string {
  if (source === undefined) return 'Ask by path or by words instead.'
  return `Ask by path or by words instead, or put that ${source.kind} into the store first: throughline import ${JSON.stringify(source.name.slice(0, 200))}`
}
