import { ThroughlineError } from '../../log/throughline-error.ts'

/** An option of `summarizationMiddleware` that has no meaning here, or an invalid value. */
export class MiddlewareOptionError extends ThroughlineError<'MIDDLEWARE_OPTION'> {
  static override readonly code = 'MIDDLEWARE_OPTION'

  readonly option: string

  constructor({ option, problem }: { option: string; problem: string }) {
    super(
      MiddlewareOptionError.code,
      `compactionMiddleware does not accept this ${option}: ${problem}.`,
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
      'Another middleware changed the messages of the request before compactionMiddleware saw them, so they no longer match the state. Put compactionMiddleware first in the list.',
    )
  }
}
