import { attributeName } from '../render/summary-block.ts'
import type { Ref } from '../../log/entry.ts'
import type { Counter } from '../../tokens/counter.ts'

/** How what is clipped is counted, and how the model may read the whole of it. */
export interface Clipping {
  counter: Counter
  /** By which name the model calls the tool that reads back, if it has one. */
  recallTool?: string | undefined
}

/** Says inside a clipped text what is missing, and what reads it back. */
export function clipNote(ref: Ref, recallTool?: string): string {
  const reader = recallTool === undefined ? '' : `, read it with ${attributeName(recallTool)}`
  return `[… left out here; the whole is ref ${ref}${reader} …]`
}
