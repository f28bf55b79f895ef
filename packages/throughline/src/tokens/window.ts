import { ThroughlineError } from '../log/throughline-error.ts'

/**
 * A model's limits, in tokens.
 *
 * `context` holds question and answer together; `input` is a limit on the question alone,
 * where the provider has one; `output` one on the answer.
 */
export interface Window {
  context: number
  input?: number
  output?: number
}

// Seed T8, and opencode 1.18: what is kept free for the answer.
const defaultReserved = 20_000

/**
 * What is kept free for the model's answer, in tokens: `wanted`, but never more than a
 * quarter of the window, so that a model of 8,000 tokens can work at all.
 * @throws InvalidWindowError if the window is none.
 * @example
 * reservedTokens({ context: 200_000 }) // 20000
 * reservedTokens({ context: 8_000 }) // 2000
 */
export function reservedTokens(window: Window, wanted: number = defaultReserved): number {
  return Math.min(wanted, Math.floor(questionLimit(window) / 4))
}

/**
 * What a request may hold, in tokens: the window, or its limit on input if that is smaller,
 * less what is reserved. Never negative.
 * @throws InvalidWindowError if the window is none, or if `reserved` is no number of tokens.
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

/** @throws InvalidWindowError if the window is none, or is not there at all. */
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
