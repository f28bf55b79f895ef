import { ThroughlineError } from '../../log/throughline-error.ts'

/** An option of `summarizationMiddleware` that cannot mean anything here, or not what was given. */
export class MiddlewareOptionError extends ThroughlineError<'MIDDLEWARE_OPTION'> {
  readonly option: string

  constructor({ option, problem }: { option: string; problem: string }) {
    super('MIDDLEWARE_OPTION', `compactionMiddleware takes no ${option} like this: ${problem}.`)
    this.option = option
  }
}

/** Another middleware has changed the messages of the request before this one. */
export class MiddlewareOrderError extends ThroughlineError<'MIDDLEWARE_ORDER'> {
  constructor() {
    super(
      'MIDDLEWARE_ORDER',
      'Another middleware has changed the messages of the request before compactionMiddleware saw them, so that they are no longer those of the state. Put compactionMiddleware first in the list.',
    )
  }
}
