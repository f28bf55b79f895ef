import type { CountTokens } from '../../tokens/message-tokens.ts'
import { ThroughlineError } from '../../log/throughline-error.ts'

/** How many characters a byte-pair encoder gets at once: its time grows with their square. */
const pieceLength = 2_000

/**
 * The end of the piece that begins at `from`: after the last newline that fits, else before the
 * last space, else anywhere except inside a surrogate pair.
 */
export function pieceEnd(text: string, from: number): number {
  const limit = from + pieceLength
  if (limit >= text.length) return text.length
  const newline = lastIndexWithin(text, '\n', from, limit)
  if (newline !== undefined) return newline + 1
  const space = lastIndexWithin(text, ' ', from + 1, limit)
  if (space !== undefined) return space
  const splitsPair = isHighSurrogate(text.charCodeAt(limit - 1))
  return splitsPair ? limit - 1 : limit
}

/**
 * Searches back no further than `from`: `lastIndexOf` alone would scan to the start of the text.
 */
function lastIndexWithin(
  text: string,
  character: string,
  from: number,
  limit: number,
): number | undefined {
  const code = character.charCodeAt(0)
  for (let index = limit - 1; index >= from; index--) {
    if (text.charCodeAt(index) === code) return index
  }
  return undefined
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00
}

/** `o200k_base` is the vocabulary of GPT-4o and later, `cl100k_base` that of GPT-4 and 3.5. */
export type GptEncodingName = 'o200k_base' | 'cl100k_base'

const encodings = {
  o200k_base: () => import('gpt-tokenizer/encoding/o200k_base'),
  cl100k_base: () => import('gpt-tokenizer/encoding/cl100k_base'),
} satisfies Record<GptEncodingName, unknown>

/**
 * An exact counter for OpenAI's models, from the optional peer `gpt-tokenizer`, which is loaded
 * only here (about 150 ms and 70 MB, once).
 *
 * Text is counted in pieces of at most 2,000 characters, because byte-pair encoding of a megabyte
 * without spaces takes minutes; on real text this costs at most 0.02% accuracy. Special tokens such
 * as `<|endoftext|>` are counted as plain text.
 *
 * @throws MissingTokenizerError if the peer is not installed.
 * @example
 * const count = await gptTokenCounter()
 * count('hello world') // 2
 */
export async function gptTokenCounter(
  encoding: GptEncodingName = 'o200k_base',
): Promise<CountTokens> {
  const { countTokens } = await load(encoding)
  const options = { disallowedSpecial: new Set<string>() }
  return (text) => {
    let tokens = 0
    for (let from = 0; from < text.length;) {
      const to = pieceEnd(text, from)
      tokens += countTokens(text.slice(from, to), options)
      from = to
    }
    return tokens
  }
}

async function load(encoding: GptEncodingName) {
  const module = encodings[encoding]
  if (!module) {
    throw new TypeError(
      `There is no encoding ${JSON.stringify(encoding)}: use o200k_base or cl100k_base.`,
    )
  }
  try {
    return await module()
  } catch (cause) {
    throw new MissingTokenizerError({ encoding, cause })
  }
}

/**
 * The optional peer `gpt-tokenizer` could not be loaded.
 * @public its code tells it apart across installs
 */
export class MissingTokenizerError extends ThroughlineError<'MISSING_TOKENIZER'> {
  static override readonly code = 'MISSING_TOKENIZER'

  readonly encoding: string

  constructor({ encoding, cause }: { encoding: string; cause: unknown }) {
    super(
      MissingTokenizerError.code,
      `The encoding ${encoding} comes from the package gpt-tokenizer, which could not be loaded. Install it with "npm install gpt-tokenizer@4", or omit the counter: the built-in estimate needs no package.`,
      { cause },
    )
    this.encoding = encoding
  }
}
