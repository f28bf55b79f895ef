/** What a process that tries mutants is given. */
export interface Work {
  /** Test files, as absolute paths. */
  tests: readonly string[]
  /** The module that seeds the properties. */
  seed: string
  /** Where what tests cover is written, or read if it is there. */
  coverage: string
  /** Where each verdict is written, a line of JSON each. */
  results: string
  /** The mutants to try. */
  ids: readonly string[]
  /** Milliseconds of the processor that the tests of one mutant may take, as they took without it. */
  patience: number
}

/** What the tests cover. */
export interface Coverage {
  /** Mutants in code that runs as a module is loaded. */
  static: string[]
  /** For each mutant the tests that run it, by index, and how often each does. */
  covered: Record<string, [test: number, hits: number][]>
  /** Milliseconds of the processor that each test takes: a busy machine makes none of them longer. */
  times: number[]
  /** Tests that failed without any mutant: they are left out. */
  failed: string[]
}

/** What a process says of its work. */
export type Line =
  | { begun: string }
  | { id: string; status: 'Killed' | 'Survived' | 'Timeout'; killer?: string }
  /** It wants a new process, for this mutant or for the next. */
  | { again: string }
  | { finished: true }
