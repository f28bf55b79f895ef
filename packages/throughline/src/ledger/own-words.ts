import type { Origin } from '../log/entry.ts'

// Texts that the engine and its writers put into user messages.
const ownWords =
  /^\[(?:What was said before is not here|\d+ (?:step|message)s? (?:is|are) left out here|The assistant had just said:\]|Late result of |Pinned\] |This session began in [^\n]{1,60} and continues in |Throughline, not the user: |(?:All|Everything) that is left out here is kept word for word\. )/

/** What tells the agent to go on, in a place that cannot hold a mark beside a message. */
export const markedContinue = '[Throughline, not the user: continue.]'

/**
 * The origin of a text that Throughline itself added to the messages; `undefined` for any other
 * text.
 */
export function ownOrigin(text: string): Extract<Origin, 'synthetic' | 'harness'> | undefined {
  if (text === 'continue' || text === markedContinue) return 'synthetic'
  // Behind a summary in the same message, it begins with a new line.
  return ownWords.test(text.trimStart()) ? 'harness' : undefined
}
