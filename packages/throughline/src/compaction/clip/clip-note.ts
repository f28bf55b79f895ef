import { attributeName } from '../render/summary-block.ts'
import type { Ref } from '../../log/entry.ts'
import type { Counter } from '../../tokens/counter.ts'

/** How clipped text is counted, and how the model can read the whole of it. */
export interface Clipping {
  counter: Counter
  /** The model's name for the recall tool, if it has one. */
  recallTool?: string | undefined
}

/** The note inside a clipped text: something is missing, and this is how to read it. */
export function clipNote(ref: Ref, recallTool?: string): string {
  const reader = recallTool === undefined ? '' : `, read it with ${attributeName(recallTool)}`
  return `[… left out here; the whole is ref ${ref}${reader} …]`
}
