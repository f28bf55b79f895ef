import { clipText } from '../../clip/clip.ts'

/** How much one request may read. */
export interface FoldRoom<T extends number = number> {
  /** In the unit of `count`. */
  room: NoInfer<T>
  count: (text: string) => T
}

// There is an empty line between two steps.
const betweenSteps = 1

/**
 * Distributes the texts of steps over requests: each request gets as many as fit, in order. A step
 * is never divided, so a call stays with its result. A step larger than a whole request is clipped,
 * and its errors are kept.
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

const leftOut = '[… left out here: the step is too large to be read at once …]'
