import type { Ref } from '../../log/entry.ts'

/**
 * What the model saw and does not see any more, by kind: refs that read each of it back. A part
 * that is clipped is still seen in part, and is not listed.
 */
export interface Dropped {
  /** Images, files, and results that carry some. */
  media: Ref[]
  reasoning: Ref[]
  /** Results of tools, but for those of protected ones. */
  results: Ref[]
  /** Results of protected tools, such as skills: instructions to the agent. */
  skills: Ref[]
  humanMessages: Ref[]
}

export const nothingDropped: Dropped = {
  media: [],
  reasoning: [],
  results: [],
  skills: [],
  humanMessages: [],
}
