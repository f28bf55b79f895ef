import type { Counter } from '../compaction/measure/measure.ts'

/**
 * The counter with its ratio worked in, so that what is added up from parts agrees with what
 * the core measures as a whole. Its figures are not whole: they are rounded where they are
 * shown.
 */
export function realCounter({ text, message, ratio }: Counter): Counter {
  return {
    text: (content) => text(content) * ratio,
    message: (content) => message(content) * ratio,
    ratio: 1,
  }
}
