import { clipText } from '../../clip/clip.ts'

/** How much one request may read. */
export interface FoldRoom<T extends number = number> {
  /** In the unit of `count`. */
  room: NoInfer<T>
  count: (text: string) => T
}

// Between two steps stands an empty line.
const betweenSteps = 1

/**
 * Shares the texts of steps out to requests: each gets as many as fit, in their order. A step is
 * never divided, so that a call stays with its result; one that is larger than a whole request is
 * clipped, its errors kept.
 * @example
 * foldTranscript(stepTexts(head), { room: 6_000, count: estimateTokens }).length // requests needed
 */
export function foldTranscript<T extends number>(
  steps: readonly string[],
  { room, count }: FoldRoom<T>,
): string[][] {
  const parts: string[][] = []
  let left = 0
  for (const step of steps) {
    const text = clipText<number>(step, { budget: room - betweenSteps, count, note: leftOut })
    const tokens = count(text) + betweenSteps
    const part = parts.at(-1)
    if (part && tokens <= left) {
      part.push(text)
      left -= tokens
    } else {
      parts.push([text])
      left = room - tokens
    }
  }
  return parts
}

const leftOut = '[… left out here: the step is larger than what can be read at once …]'
