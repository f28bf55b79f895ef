import { ThroughlineError } from '../log/throughline-error.ts'
import type { Window } from './window.ts'

/** A window, or what is reserved of it, that is no positive, finite number of tokens. */
export class InvalidWindowError extends ThroughlineError<'INVALID_WINDOW'> {
  static override readonly code = 'INVALID_WINDOW'

  readonly window: Window
  readonly field: 'context' | 'input' | 'output' | 'reserved'
  readonly value: unknown

  constructor({
    window,
    field,
    value,
  }: {
    window: Window
    field: InvalidWindowError['field']
    value: unknown
  }) {
    super(
      InvalidWindowError.code,
      `The window's ${field} is ${String(value)}, which is no number of tokens. Give a positive, finite number, such as window: { context: 200_000 }, or look the model up with windowOf(model).`,
    )
    this.window = window
    this.field = field
    this.value = value
  }
}
