import { ThroughlineError } from '../../log/throughline-error.ts'

/** An option of `summarizationMiddleware` that cannot mean anything here, or not what was given. */
export class MiddlewareOptionError extends ThroughlineError<'MIDDLEWARE_OPTION'> {
  static override readonly code = 'MIDDLEWARE_OPTION'

  readonly option: string

  constructor({ option, problem }: { option: string; problem: string }) {
    super(
      MiddlewareOptionError.code,
      `compactionMiddleware takes no ${option} like this: ${problem}.`,
    )
    this.option = option
  }
}

/** Another middleware has changed the messages of the request before this one. */
export class MiddlewareOrderError extends ThroughlineError<'MIDDLEWARE_ORDER'> {
  static override readonly code = 'MIDDLEWARE_ORDER'

  constructor() {
    super(
      MiddlewareOrderError.code,
      'Another middleware has changed the messages of the request before compactionMiddleware saw them, so that they are no longer those of the state. Put compactionMiddleware first in the list.',
    )
  }
}
