import { sanitizeLine } from '../../log/sanitize.ts'
import { ThroughlineError } from '../../log/throughline-error.ts'
import { answerMark } from './answer.ts'
import { recall } from './recall.ts'
import { recallQuestion } from './question.ts'
import type { Store } from '../store.ts'
import type { RecallOptions } from './asked.ts'

/** What a model is told of the tool that asks {@link recall}. */
export const recallDescription =
  'Reads back what was said, read, written or printed earlier in this session, word for word, also where it is now pruned, clipped or summarized. Ask for exactly one of: ref (the number in a placeholder, or in brackets behind a line of a summary), path (what was done to that file, the newest first), words (where they were said). Look here before you read a file or run a command again only to see what it showed.'

/**
 * What it takes, as JSON Schema. That it is exactly one of three is checked when it is asked:
 * providers refuse a schema that says so.
 */
export const recallInputSchema = {
  type: 'object',
  properties: {
    ref: { type: 'string', description: 'An entry or one part of it: "12" or "12.0".' },
    path: { type: 'string', description: 'A file: its path, or the end of it, as "src/index.ts".' },
    words: {
      type: 'string',
      description: 'Words that it held; the beginning of a word is enough.',
    },
    offset: {
      type: 'integer',
      minimum: 0,
      description: 'Where to go on, if the last answer said that there is more.',
    },
  },
  additionalProperties: false,
} as const

/** What a tool gives back to the model. */
export type RecallReply = { text: string } | { error: string }

const answerable: ReadonlySet<string> = new Set([
  'RECALL_QUESTION',
  'REF_NOT_FOUND',
  'SESSION_NOT_FOUND',
])

/**
 * Answers what a model sent, whatever it is: what it can correct is told to it. With
 * `recallDescription` and `recallInputSchema` this makes a tool for any SDK.
 * @throws what the store threw.
 */
export async function recallReply(
  store: Store,
  session: string,
  input: unknown,
  options: RecallOptions = {},
): Promise<RecallReply> {
  try {
    const { text } = await recall(store, session, recallQuestion(input), options)
    return { text }
  } catch (error) {
    if (!ThroughlineError.isInstance(error) || !answerable.has(error.code)) throw error
    return { error: `${answerMark}: nothing. ${sanitizeLine(error.message)}]` }
  }
}
