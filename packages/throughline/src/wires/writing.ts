import { MessageConversionError } from './errors.ts'

/** Something that an API can't represent. */
interface Unsayable {
  /** A path like `messages[3].content[1]`. */
  place: string
  problem: string
  /** About the same in words; missing if it would mean nothing to anyone else. */
  words?: string | undefined
}

/**
 * How a writer treats content that its API can't represent. {@link strictWriting} rejects it, and
 * {@link lenientWriting} describes it in words.
 */
export interface Writing {
  /** The words that are written in its place; `undefined` if nothing is. */
  instead: (unsayable: Unsayable) => string | undefined
}

/** Rejects what the API can't represent, with a MessageConversionError. */
export const strictWriting: Writing = {
  instead(unsayable) {
    throw new MessageConversionError(unsayable)
  },
}

/** Never throws: words replace what the API can't represent, and the session continues. */
export const lenientWriting: Writing = { instead: ({ words }) => words }
