import { ThroughlineError } from '../log/throughline-error.ts'

/** The command was called in a way that it does not understand. */
export class UsageError extends ThroughlineError<'USAGE'> {
  static override readonly code = 'USAGE'

  constructor(message: string) {
    super(UsageError.code, message)
  }
}

/** The command was understood and could not be done. */
export class CommandError extends ThroughlineError<'COMMAND'> {
  static override readonly code = 'COMMAND'

  constructor(message: string, options?: ErrorOptions) {
    super(CommandError.code, message, options)
  }
}

/** Someone pressed Ctrl-C; the message says what was done until then. */
export class InterruptedError extends ThroughlineError<'INTERRUPTED'> {
  static override readonly code = 'INTERRUPTED'

  constructor(message: string) {
    super(InterruptedError.code, message)
  }
}

/** Whoever read the output has gone, as `head` does. */
export class ClosedPipeError extends ThroughlineError<'CLOSED_PIPE'> {
  static override readonly code = 'CLOSED_PIPE'

  constructor() {
    super(ClosedPipeError.code, 'The reader of the output has gone.')
  }
}
