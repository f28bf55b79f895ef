import { ThroughlineError } from '../log/throughline-error.ts'

/** A message that an API, or our own shape, can't represent; `place` says where it is. */
export class MessageConversionError extends ThroughlineError<'MESSAGE_CONVERSION'> {
  static override readonly code = 'MESSAGE_CONVERSION'

  /** A path like `messages[3].content[1]`. */
  readonly place: string
  readonly problem: string

  constructor({ place, problem }: { place: string; problem: string }) {
    super(MessageConversionError.code, `${place}: ${problem}.`)
    this.place = place
    this.problem = problem
  }
}
