import { ThroughlineError } from '../log/throughline-error.ts'

/**
 * A model's limits, in tokens.
 *
 * `context` holds prompt and answer together; `input` limits the prompt alone, if the provider has
 * such a limit; `output` limits the answer.
 */
export interface Window {
  context: number
  input?: number
  output?: number
}

// Seed T8, and opencode 1.18: the amount reserved for the answer.
const defaultReserved = 20_000

/**
 * The tokens reserved for the model's answer: `wanted`, but never more than a quarter of the
 * window, so that a model with 8,000 tokens can work at all.
 * @throws InvalidWindowError if the window is invalid.
 * @example
 * reservedTokens({ context: 200_000 }) // 20000
 * reservedTokens({ context: 8_000 }) // 2000
 */
export function reservedTokens(window: Window, wanted: number = defaultReserved): number {
  return Math.min(wanted, Math.floor(questionLimit(window) / 4))
}

/**
 * The tokens that a request may use: the window, or its input limit if that is smaller, less the
 * reserved amount. Never negative.
 * @throws InvalidWindowError if the window is invalid, or if `reserved` is not a number of tokens.
 * @example
 * usableTokens({ context: 200_000 }) // 180000
 * usableTokens({ context: 400_000, input: 272_000 }) // 252000
 */
export function usableTokens(window: Window, reserved: number = reservedTokens(window)): number {
  if (!(reserved >= 0 && Number.isFinite(reserved))) {
    throw new InvalidWindowError({ window, field: 'reserved', value: reserved })
  }
  return Math.max(0, questionLimit(window) - reserved)
}

/** @throws InvalidWindowError if the window is invalid or missing. */
export function checkWindow(window: Window): void {
  const given: Partial<Window> = Object(window)
  for (const field of ['context', 'input', 'output'] as const) {
    const value = given[field]
    if (value === undefined && field !== 'context') continue
    if (typeof value === 'number' && value > 0 && Number.isFinite(value)) continue
    throw new InvalidWindowError({ window, field, value })
  }
}

function questionLimit(window: Window): number {
  checkWindow(window)
  return Math.min(window.context, window.input ?? window.context)
}

/** A window, or an amount reserved from it, that is not a positive, finite number of tokens. */
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
      `The window's ${field} is ${String(value)}, which is not a number of tokens. Use a positive, finite number, such as window: { context: 200_000 }, or look the model up with windowOf(model).`,
    )
    this.window = window
    this.field = field
    this.value = value
  }
}
