const marker = Symbol.for('throughline.error')

/**
 * The base of every error that Throughline throws. `code` is stable; `message`
 * says what happened, what was expected and what to do.
 *
 * `isInstance` works across duplicate installs, where `instanceof` does not.
 */
export abstract class ThroughlineError<Code extends string = string> extends Error {
  readonly code: Code

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
    this.code = code
    Object.defineProperty(this, marker, { value: true })
  }

  static isInstance(error: unknown): error is ThroughlineError {
    return typeof error === 'object' && error !== null && marker in error
  }
}
