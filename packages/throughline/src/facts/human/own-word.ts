/** A sentence of the human. */
export interface Said {
  /** Word for word. */
  text: string
  /** Without what it quotes, in lower case. */
  lower: string
}

/** Who reports, doubts, denies or supposes says nothing of their own. */
const frames =
  /\b(?:says?|said|tells?|told|writes?|wrote|claims?|claimed|thinks?|thought|believes?|asks?|asked|wants?|reads|stat(?:es|ed)|pretends?|suggests?|if|unless|until|when|whenever|whether|suppose|imagine|not|never|(?:do|does|did|have|has|had|is|are|was|were|ca|wo|would|should|could)n['’]?t)\b/

/**
 * Whether the words before a change of mind leave it the human's own: not “Bob says you may push”, “I
 * did not say you may push”, “if I tell you that you can push”.
 */
export function isOwnWord(before: string): boolean {
  const clause = before.slice(before.lastIndexOf(';') + 1)
  return !frames.test(clause)
}

/** Whether a sentence only says what would be, in scripts whose clauses no blank sets apart. */
export function supposes(lower: string): boolean {
  return /如果|要是|假如|もし|만약/.test(lower)
}

/**
 * What stands inside one pair of quotation marks, in any language; nobody types the end of a German or
 * Polish quotation as it is printed.
 */
export const quotations =
  /"[^"]{1,9000}"|“[^”]{1,9000}”|„[^“”"]{1,9000}[“”"]|«[^»]{1,9000}»|「[^」]{1,9000}」/g
const inSingleMarks = /(?<![\p{L}\p{N}])['‘][^'’]{2,}['’](?![\p{L}\p{N}])/gu

/** A sentence without what it quotes: those words are another person's, or only mentioned. */
export function withoutQuotations(text: string): string {
  return text.replace(quotations, ' … ').replace(inSingleMarks, ' … ')
}
