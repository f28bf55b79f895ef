import { clipText, clipNote } from './clip.ts'
import type { Ref } from '../../log/entry.ts'

// Deep enough for every tool schema seen; stops hostile nesting.
const deepest = 8

/**
 * The input of a tool call with its long texts clipped to `leaf` tokens each, in the unit of
 * `count`: the write of a file keeps its path and shape. Returns the same object if no text was long.
 */
export function clipInput<T extends number>(
  input: unknown,
  {
    leaf,
    count,
    ref,
    recallTool,
  }: {
    leaf: NoInfer<T>
    count: (text: string) => T
    ref: Ref
    recallTool?: string | undefined
  },
): unknown {
  return clipValue(input, 0)

  function clipValue(value: unknown, depth: number): unknown {
    if (typeof value === 'string') {
      return clipText(value, { budget: leaf, count, note: clipNote(ref, recallTool) })
    }
    if (typeof value !== 'object' || value === null || depth >= deepest) return value
    if (Array.isArray(value)) {
      const clipped = value.map((item) => clipValue(item, depth + 1))
      return clipped.some((item, index) => item !== value[index]) ? clipped : value
    }
    const entries = Object.entries(value)
    const clipped = entries.map(([key, item]) => [key, clipValue(item, depth + 1)] as const)
    return clipped.some(([, item], index) => item !== entries[index]?.[1])
      ? Object.fromEntries(clipped)
      : value
  }
}
