import { MessageConversionError } from './errors.ts'

/** What an API has no word for. */
interface Unsayable {
  /** A path like `messages[3].content[1]`. */
  place: string
  problem: string
  /** What says about the same in words; none where it is nothing to anybody else. */
  words?: string | undefined
}

/**
 * How a writer takes what its API cannot say: {@link strictWriting} refuses it, and
 * {@link lenientWriting} says it in words.
 */
export interface Writing {
  /** The words that are written in its place; `undefined` if nothing is. */
  instead: (unsayable: Unsayable) => string | undefined
}

/** Refuses what the API has no word for, with a MessageConversionError. */
export const strictWriting: Writing = {
  instead(unsayable) {
    throw new MessageConversionError(unsayable)
  },
}

/** Never throws: a session goes on, with words for what it had. */
export const lenientWriting: Writing = { instead: ({ words }) => words }
