import { ThroughlineError } from 'throughline'

/** A page of a session is not made now. */
export class PageError extends ThroughlineError<'PAGE'> {
  static override readonly code = 'PAGE'

  /** `busy`: others are being made; `failed`: this one cannot be. */
  readonly why: 'busy' | 'failed'

  constructor(why: PageError['why'], message: string, options?: ErrorOptions) {
    super(PageError.code, message, options)
    this.why = why
  }
}
