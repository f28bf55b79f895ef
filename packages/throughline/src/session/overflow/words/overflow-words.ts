/**
 * One provider's words for "the context is too long": a line in one of the tables next to this
 * file.
 */
export interface OverflowWords {
  provider: string
  /** A message that was really sent, word for word. */
  message: string
  /** Where that message can be read. */
  source: string
  /**
   * Finds the words in an error's text. The group `limit`, if present, is the model's limit in
   * tokens; the group `output` is the requested output limit.
   */
  pattern: RegExp
  /** What is too large; tokens if not given. */
  unit?: 'bytes'
}
