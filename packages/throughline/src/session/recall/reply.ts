import { sanitizeLine } from '../../log/sanitize.ts'
import { ThroughlineError } from '../../log/throughline-error.ts'
import { answerMark } from './answer.ts'
import { recall } from './recall.ts'
import { recallQuestion, type RecallOptions } from './question.ts'
import type { Store } from '../store.ts'

/** How the {@link recall} tool is described to a model. */
export const recallDescription =
  'Reads back anything that was said, read, written or printed earlier in this session, word for word, even if it has been pruned, clipped or summarized since. Ask for exactly one of: ref (the number in a placeholder, or in brackets after a line of a summary), path (what was done to that file, newest first), words (where they were said). Use this before you read a file or run a command again only to see what it showed.'

/**
 * The tool's input as JSON Schema. Exactly one of the three fields must be given. The call checks
 * this, because providers refuse a schema with such a rule.
 */
export const recallInputSchema = {
  type: 'object',
  properties: {
    ref: {
      type: 'string',
      description:
        'An entry or one part of it, with its source before it where one stands there: "12", "12.0" or "qk3f9a:12".',
    },
    path: {
      type: 'string',
      description: 'A file: its path, or the end of its path, such as "src/index.ts".',
    },
    words: {
      type: 'string',
      description: 'Words that it contained; the beginning of a word is enough.',
    },
    offset: {
      type: 'integer',
      minimum: 0,
      description: 'Where to continue, if the last answer said that there is more.',
    },
  },
  additionalProperties: false,
} as const

/** What a tool returns to the model. */
export type RecallReply = { text: string } | { error: string }

const answerable: ReadonlySet<string> = new Set([
  'RECALL_QUESTION',
  'REF_NOT_FOUND',
  'REF_SOURCE',
  'SESSION_NOT_FOUND',
])

/**
 * Answers whatever a model sent; mistakes that it can correct are explained to it. With
 * `recallDescription` and `recallInputSchema`, this makes a tool for any SDK.
 * @throws errors of the store.
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
