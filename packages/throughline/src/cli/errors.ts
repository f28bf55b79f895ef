import { ThroughlineError } from '../log/throughline-error.ts'

/** The command was called in a way that it does not understand. */
export class UsageError extends ThroughlineError<'USAGE'> {
  constructor(message: string) {
    super('USAGE', message)
  }
}

/** The command was understood and could not be done. */
export class CommandError extends ThroughlineError<'COMMAND'> {
  constructor(message: string, options?: ErrorOptions) {
    super('COMMAND', message, options)
  }
}

/** Someone pressed Ctrl-C; the message says what was done until then. */
export class InterruptedError extends ThroughlineError<'INTERRUPTED'> {
  constructor(message: string) {
    super('INTERRUPTED', message)
  }
}

/** Whoever read the output has gone, as `head` does. */
export class ClosedPipeError extends ThroughlineError<'CLOSED_PIPE'> {
  constructor() {
    super('CLOSED_PIPE', 'The reader of the output has gone.')
  }
}
