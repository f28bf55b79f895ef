const marker = Symbol.for('throughline.error')

/**
 * The base class of every error that Throughline throws. `code` is stable; `message` says what
 * happened, what was expected and what to do.
 *
 * `isInstance` works across duplicate installs, where `instanceof` does not. A subclass names its
 * code once as a static field, and `isInstance` of that class then knows its own errors:
 * @example
 * class LostError extends ThroughlineError<'LOST'> {
 *   static override readonly code = 'LOST'
 *   constructor() {
 *     super(LostError.code, 'It is gone.')
 *   }
 * }
 * if (LostError.isInstance(error)) error.code // 'LOST'
 */
export abstract class ThroughlineError<Code extends string = string> extends Error {
  /** The code of this class's errors. It is empty on the base class, which accepts every code. */
  static readonly code: string = ''

  readonly code: Code

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
    this.code = code
    Object.defineProperty(this, marker, { value: true })
  }

  /**
   * Whether a value is an error of the class on which this is called, from whichever install.
   * It does not compile on a class that has not named its code.
   */
  static isInstance<E extends ThroughlineError>(
    this: (abstract new (...given: never) => E) & { readonly code: E['code'] },
    error: unknown,
  ): error is E {
    if (typeof error !== 'object' || error === null || !(marker in error)) return false
    return this.code === '' || (error as { code?: unknown }).code === this.code
  }
}
