import type { Counter } from '../measure/measure.ts'

/** How what is clipped is counted, and how the model may read the whole of it. */
export interface Clipping {
  counter: Counter
  /** By which name the model calls the tool that reads back, if it has one. */
  recallTool?: string | undefined
}
