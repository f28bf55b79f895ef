import { estimateTokens } from '../../tokens/estimate.ts'
import { newestOf } from '../operations/newest.ts'
import { searchPhrases } from './search-words.ts'
import { answerOf, type RecallAnswer } from './answer.ts'
import { byRef } from './by-ref.ts'
import { fileEvents } from './file-events.ts'
import { pageOf, type Find } from './finds.ts'
import { hits } from './hits.ts'
import { recallQuestion, type RecallQuestion } from './question.ts'
import type { Store } from '../store.ts'
import type { Asked, RecallOptions } from './asked.ts'

const usualTokens = 4_000
const leastTokens = 500

/**
 * Answers a question about all that was ever said in a session, whatever was pruned, clipped or
 * summarised since: the way back from a compacted context.
 *
 * The answer is for a model: bounded, without control, escape and bidi characters, and between
 * tags that no text inside can close.
 * @throws RecallQuestionError, RefNotFoundError, SessionNotFoundError: their messages help a model
 *   to ask again.
 * @example
 * const { text } = await recall(store, 'a', { words: 'connection refused' })
 */
export async function recall(
  store: Store,
  session: string,
  question: RecallQuestion,
  options: RecallOptions = {},
): Promise<RecallAnswer> {
  const { count = estimateTokens, lenses = [] } = options
  const tokens = Math.max(options.tokens ?? usualTokens, leastTokens)
  const asked: Asked = { store, session, tokens, count, lenses }
  const { offset = 0, ...what } = recallQuestion(question)
  await newestOf(store, session)
  if ('ref' in what) return byRef(asked, what.ref, offset)
  return 'path' in what ? byPath(asked, what.path, offset) : byWords(asked, what.words, offset)
}

/** What was done to a file, the newest first; else where it is spoken of. */
async function byPath(asked: Asked, path: string, offset: number): Promise<RecallAnswer> {
  const phrases = searchPhrases(path)
  return firstFound(asked, { path }, offset, [
    { finds: fileEvents(asked, path) },
    {
      finds: hits(asked, { phrases, match: 'all' }),
      match: 'all',
      remark: '[No call is known to have read or changed this file; it is spoken of here.]',
    },
  ])
}

/** Where all of the words stand; else where any of them do. */
async function byWords(asked: Asked, words: string, offset: number): Promise<RecallAnswer> {
  const phrases = searchPhrases(words)
  return firstFound(asked, { words }, offset, [
    { finds: hits(asked, { phrases, match: 'all' }), match: 'all' },
    {
      finds: hits(asked, { phrases, match: 'any' }),
      match: 'any',
      remark: '[No message has all of these words; these have some of them.]',
    },
  ])
}

/** A way to look, what its finds are, and what a reader has to know of them. */
interface Way {
  finds: AsyncIterable<Find>
  match?: 'all' | 'any'
  remark?: string
}

async function firstFound(
  asked: Asked,
  question: { path: string } | { words: string },
  offset: number,
  ways: readonly Way[],
): Promise<RecallAnswer> {
  for (const { finds, match, remark } of ways) {
    const { passages, next, any } = await pageOf(asked, finds, offset, remark ?? '')
    if (!any) continue
    const end = passages.length === 0 ? '[There is no more.]' : undefined
    return answerOf({
      passages,
      ...(match && { match }),
      ...((end ?? remark) !== undefined && { remark: end ?? remark }),
      ...(next !== undefined && { next: { ...question, offset: next } }),
    })
  }
  return answerOf({
    passages: [],
    remark: '[Nothing was found. Ask for other or fewer words; the beginning of a word is enough.]',
  })
}
