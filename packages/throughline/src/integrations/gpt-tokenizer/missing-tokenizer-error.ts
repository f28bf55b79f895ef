import { ThroughlineError } from '../../log/throughline-error.ts'

/** The optional peer `gpt-tokenizer` could not be loaded. */
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
