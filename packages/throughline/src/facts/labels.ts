// Labels in a summary by which the next compaction finds the lines after them.

/** The heading below which the human's rules stand, some over several lines. */
export const rulesHeading = 'Instructions'

/** The line above the answer to which a kept message of the human replies. */
export const quotedAnswerLabel = '[The assistant had just said:]'

/** The line above the human's messages. */
export const messagesLabel = 'What the human said before, oldest first:'

/** The note after the ref of a request that no human made. */
export const ofAgent = ', of the agent that started this one'

/** The line above what was said of the work that was done. */
export const doneLabel = 'What was done, and why:'

/** The line above the state of the work. */
export const standLabel = 'Where the work stands:'

/** The line above what the assistant checked off on its list. */
export const checkedOffLabel = "Checked off on the assistant's list:"

/** The line above errors that nothing shows to be solved. */
export const errorsLabel = 'Errors not known to be solved:'

/** The line above text that a summary carries over. */
export const carriedLabel = 'From the earlier summary:'

/** The line above what a model wrote under Instructions: nothing after it is the human's. */
export const modelsLabel = 'In the words of a model, not of the human:'

/** The line below it where some of those words are the human's after all. */
export const humanQuotesNote = '> (What has a ref is quoted from the human, word for word.)'

/** The label before paths or names of which it is only known that they were used. */
export const otherPathsLabel = 'Other paths that were used: '
export const otherNamesLabel = 'Other names that were used: '

// As sessions say that earlier versions have compacted.
const earlierLabel = /^More (?:paths|names): /

/** Whether a line lists such names: it states nothing. */
export function listsOtherNames(line: string): boolean {
  return (
    [otherPathsLabel, otherNamesLabel].some((label) => line.startsWith(label)) ||
    earlierLabel.test(line)
  )
}
