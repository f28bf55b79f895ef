/** One provider's words for "the context is too long": a line of the tables beside this file. */
export interface OverflowWords {
  provider: string
  /** What it really said, word for word. */
  message: string
  /** Where that can be read. */
  source: string
  /**
   * Finds the words in what an error says. The group `limit`, if there is one, is what the model
   * takes, in tokens; the group `output` is what was asked for as the longest answer.
   */
  pattern: RegExp
  /** What is too large; tokens where it is not said. */
  unit?: 'bytes'
}
