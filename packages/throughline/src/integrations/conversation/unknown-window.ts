import { ThroughlineError } from '../../log/throughline-error.ts'

/** No window was given, and the table doesn't know the model. */
export class UnknownWindowError extends ThroughlineError<'UNKNOWN_WINDOW'> {
  static override readonly code = 'UNKNOWN_WINDOW'

  readonly model: string

  constructor({ model }: { model: string }) {
    super(
      UnknownWindowError.code,
      `The window of the model ${JSON.stringify(model)} is not in the table, and provider packages do not expose it. Set it yourself: window: { context: 200_000 }.`,
    )
    this.model = model
  }
}
