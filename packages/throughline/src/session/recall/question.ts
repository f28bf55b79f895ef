import { searchPhrases } from './search-words.ts'
import { RecallQuestionError } from './errors.ts'
import type { Entry } from '../../log/entry.ts'
import type { CountTokens } from '../../tokens/message-tokens.ts'
import type { FindSource } from './follow-ref.ts'
import type { ToolLens } from '../../facts/lens.ts'
import type { Selection, Store } from '../store.ts'

/**
 * A question about a session's past: what a ref names, what happened to a file, or where words
 * occur. `offset` continues where an answer ended, as its `next` says.
 */
export type RecallQuestion =
  | { ref: string; offset?: number }
  | { path: string; offset?: number }
  | { words: string; offset?: number }

const kinds = ['ref', 'path', 'words'] as const
const longest = 1000
const mostWords = 32

const howToAsk =
  'Give exactly one of ref, path and words, such as {"ref":"12.0"}, {"path":"src/index.ts"} or {"words":"connection refused"}.'

/**
 * Reads what a model sent as a question; empty and null fields count as missing.
 * @throws RecallQuestionError
 */
export function recallQuestion(input: unknown): RecallQuestion {
  const fields = typeof input === 'object' && input !== null ? { ...input } : {}
  const given = kinds.flatMap((kind) => {
    const text = textOf((fields as Record<string, unknown>)[kind])
    return text === '' ? [] : [{ kind, text }]
  })
  const [first] = given
  if (!first) throw wrong('nothing', `The question is empty. ${howToAsk}`)
  if (given.length > 1) {
    const names = given.map(({ kind }) => kind).join(' and ')
    throw wrong(
      'several',
      `Only one thing can be asked at a time, but this asks for ${names}. ${howToAsk}`,
    )
  }
  const offset = offsetOf('offset' in fields ? fields.offset : undefined)
  return { ...checked(first.kind, first.text), ...(offset > 0 && { offset }) }
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim()
  return Number.isSafeInteger(value) ? String(value) : ''
}

function checked(kind: (typeof kinds)[number], text: string): RecallQuestion {
  if (text.length > longest) {
    throw wrong(
      'too-long',
      `A question may have at most ${longest} characters: ask for less of it.`,
    )
  }
  // Summaries write refs in brackets.
  if (kind === 'ref') return { ref: text.replace(/^\[(.*)\]$/, '$1') }
  const phrases = searchPhrases(text)
  if (phrases.length === 0) {
    throw wrong('no-words', `${JSON.stringify(text)} contains no letter and no digit. ${howToAsk}`)
  }
  if (phrases.length <= mostWords) return kind === 'path' ? { path: text } : { words: text }
  throw wrong(
    'too-long',
    `A question may have at most ${mostWords} words: ask for the rarest of them.`,
  )
}

function offsetOf(value: unknown): number {
  if (value === undefined || value === null || value === '') return 0
  const offset = typeof value === 'string' ? Number(value) : value
  if (typeof offset === 'number' && Number.isSafeInteger(offset) && offset >= 0) return offset
  throw wrong(
    'offset',
    'offset must be a whole number, 0 or more: use the one that the last answer named.',
  )
}

function wrong(problem: RecallQuestionError['problem'], detail: string): RecallQuestionError {
  return new RecallQuestionError({ problem, detail })
}

/** How much to answer, and how to read the session. */
export interface RecallOptions {
  /** The most that an answer holds, in tokens; at least 300, by default 4,000. */
  tokens?: number
  /** Counts tokens; by default the built-in estimator. */
  count?: CountTokens
  /**
   * Finds the session that a ref with a source before it belongs to, where a session began with the
   * context of another; by default the one of that id in the same store. What it is asked for comes
   * from entries that readers of session files made, never from what a host's messages say.
   */
  find?: FindSource
  /** How to read tools that Throughline does not know, for what happened to a file. */
  lenses?: readonly ToolLens[]
}

/** What a question is asked of, and how much its answer may hold. */
export interface Asked extends Required<RecallOptions> {
  store: Store
  session: string
}

/** Entries of the session, in order of seq. */
export function read({ store, session }: Asked, selection: Selection): Promise<Entry[]> {
  return store.read(session, selection)
}
