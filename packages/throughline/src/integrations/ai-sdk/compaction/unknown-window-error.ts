import { ThroughlineError } from '../../../log/throughline-error.ts'

/** Nobody has said how much the model takes, and the table does not know it. */
export class UnknownWindowError extends ThroughlineError<'UNKNOWN_WINDOW'> {
  static override readonly code = 'UNKNOWN_WINDOW'

  readonly model: string

  constructor({ model }: { model: string }) {
    super(
      UnknownWindowError.code,
      `The window of the model ${JSON.stringify(model)} is not in the table, and providers' packages do not tell it. Give it yourself: window: { context: 200_000 }.`,
    )
    this.model = model
  }
}
