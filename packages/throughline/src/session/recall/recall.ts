import { estimateTokens } from '../../tokens/estimate.ts'
import { timeSlices } from '../loop/pause.ts'
import { newestOf } from '../operations/undo.ts'
import { searchPhrases } from './search-words.ts'
import { answerOf, roomFor, isOwn, type RecallAnswer } from './answer.ts'
import { pageOf, hits, mostHits, type Find } from './hits.ts'
import { recallQuestion, read } from './question.ts'
import { chronological } from '../../log/order.ts'
import { readRef } from '../../log/ref.ts'
import { readNamed, followRef, inStore, seenFrom, type FollowedRef } from './follow-ref.ts'
import { mapOwnRefs } from '../../compaction/render/own-refs.ts'
import { foreignRef } from '../../log/source.ts'
import { RecallQuestionError } from './errors.ts'
import { fitPassage, cutPassage, passagesOf, passageOf, type Passage } from './passage.ts'
import { outputText, partsOf, type ToolCallPart, type ToolResultPart } from '../../log/message.ts'
import { readCall } from '../../facts/lenses/read-call.ts'
import { cleanPath, isAbsolute } from '../../facts/paths/clean-path.ts'
import type { RecallQuestion, Asked, RecallOptions } from './question.ts'
import type { Store } from '../store.ts'
import type { EntryOf, Entry, Seq } from '../../log/entry.ts'
import type { Effect } from '../../facts/lens.ts'

const batch = 10
// A result follows its call; for calls that were made together, it follows the last of them.
const reach = 24

/** The calls that read or changed a file, each with its result, newest first. */
async function* fileEvents(asked: Asked, path: string): AsyncGenerator<Find> {
  const seqs = await mentions(asked, path)
  let position = 0
  const turn = timeSlices()
  for (let from = 0; from < seqs.length; from += batch) {
    const wanted = seqs.slice(from, from + batch)
    const entries = await read(asked, { seqs: [...new Set(wanted.flatMap(withReach))] })
    await turn()
    for (const seq of wanted) {
      const near = entries.filter((entry) => entry.seq >= seq && entry.seq <= seq + reach)
      for (const passages of eventsIn(near, path, asked).toReversed()) {
        yield { position: position++, passages }
      }
    }
  }
}

/** The messages that name the file, wherever they say it is, newest first. */
async function mentions({ store, session }: Asked, path: string): Promise<Seq[]> {
  const name = searchPhrases(path.split(/[\\/]/).findLast((segment) => segment !== '') ?? '')
  const phrases = name.length > 0 ? name : searchPhrases(path)
  const seqs = await store.search(session, { phrases, match: 'all', limit: 5 * mostHits })
  return seqs.sort((one, other) => other - one)
}

function withReach(seq: Seq): Seq[] {
  return Array.from({ length: reach + 1 }, (_, index) => seq + index)
}

/** What the calls of the first entry did to the file. */
function eventsIn(entries: readonly Entry[], path: string, asked: Asked): Passage[][] {
  const [entry] = entries
  if (entry?.kind !== 'message' || entry.message.role !== 'assistant') return []
  const results = resultsIn(entries)
  return partsOf(entry.message).flatMap((part, index) => {
    if (part.type !== 'tool-call') return []
    const result = results.get(part.toolCallId)
    if (result && isOwn(result.part)) return []
    const did = effectsOf(part, result?.part, asked)
      .flatMap(pathsOf)
      .filter((done) => isSameFile(path, done.path))
      .map(({ type }) => type)
    if (did.length === 0) return []
    const call = { ...passageOf(entry, part, index), did: [...new Set(did)].join(', ') }
    return [result ? [call, passageOf(result.entry, result.part, result.index)] : [call]]
  })
}

interface PlacedResult {
  entry: EntryOf<'message'>
  part: ToolResultPart
  index: number
}

/** The first result of each call. */
function resultsIn(entries: readonly Entry[]): Map<string, PlacedResult> {
  const results = new Map<string, PlacedResult>()
  for (const entry of entries) {
    if (entry.kind !== 'message') continue
    for (const [index, part] of partsOf(entry.message).entries()) {
      if (part.type !== 'tool-result' || results.has(part.toolCallId)) continue
      results.set(part.toolCallId, { entry, part, index })
    }
  }
  return results
}

function effectsOf(
  { toolName: tool, input }: ToolCallPart,
  result: ToolResultPart | undefined,
  { lenses }: Asked,
): Effect[] {
  const type = result?.output.type
  const failed = type === 'error-text' || type === 'error-json'
  return readCall({ tool, input, output: result && outputText(result.output), failed }, lenses)
}

/** What an effect did, and to which files. */
function pathsOf(effect: Effect): { type: Effect['type']; path: string }[] {
  const { type } = effect
  if (type === 'command' || type === 'directory' || !('path' in effect)) return []
  const paths = type === 'rename' ? [effect.path, effect.to] : [effect.path]
  return paths.flatMap((path) => (path === undefined ? [] : [{ type, path }]))
}

/**
 * Whether the requested path may be the file at `found`: the same path, the end of it, or an
 * absolute path that ends with it.
 * @example
 * isSameFile('src/a.ts', '/repo/src/a.ts') // true
 */
function isSameFile(asked: string, found: string): boolean {
  const [one, other] = [cleanPath(asked), cleanPath(found)]
  if (one === undefined || other === undefined) return false
  return one === other || endsWith(other, one) || (isAbsolute(one) && endsWith(one, other))
}

function endsWith(path: string, end: string): boolean {
  return path.endsWith(`/${end}`)
}

const usualTokens = 4_000
const leastTokens = 500

/**
 * Answers a question about everything that was ever said in a session, even if it was pruned,
 * clipped or summarized since. This is the way back from a compacted context.
 *
 * The answer is made for a model: its size is limited, it has no control, escape or bidi
 * characters, and it is wrapped in tags that no text inside can close.
 * @throws RecallQuestionError, RefNotFoundError, RefSourceError, SessionNotFoundError: their messages help a model
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
  const { find = inStore(store) } = options
  const asked: Asked = { store, session, tokens, count, lenses, find }
  const { offset = 0, ...what } = recallQuestion(question)
  await newestOf(store, session)
  if ('ref' in what) return byRef(asked, what.ref, offset)
  return 'path' in what ? byPath(asked, what.path, offset) : byWords(asked, what.words, offset)
}

/** What was done to a file, newest first; if nothing is known, where it is mentioned. */
async function byPath(asked: Asked, path: string, offset: number): Promise<RecallAnswer> {
  const phrases = searchPhrases(path)
  return firstFound(asked, { path }, offset, [
    { finds: fileEvents(asked, path) },
    {
      finds: hits(asked, { phrases, match: 'all' }),
      match: 'all',
      remark: '[No call is known to have read or changed this file; these passages mention it.]',
    },
  ])
}

/** Where all of the words occur; if nowhere, where any of them occur. */
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

/** One way to search, what it found, and what a reader needs to know about the finds. */
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
    remark: '[Nothing was found. Try other words, or fewer; the beginning of a word is enough.]',
  })
}

/**
 * What a ref names, in its original words: all of it, or as much as fits from `offset` on. The
 * offset counts through all parts of a message.
 * @throws RefNotFoundError, RecallQuestionError
 */
async function byRef(asked: Asked, ref: string, offset: number): Promise<RecallAnswer> {
  const whole = await passagesNamed(asked, ref)
  const length = whole.reduce((sum, passage) => sum + passage.length, 0)
  if (offset > 0 && offset >= length) {
    const detail = `Ref ${ref} holds ${length} characters, so there is nothing at offset ${offset}. Use a smaller offset, or none.`
    throw new RecallQuestionError({ problem: 'end', detail })
  }
  const { count, tokens } = asked
  const passages: Passage[] = []
  let room = roomFor(tokens, '', count)
  let at = 0
  for (const passage of whole) {
    const begin = at
    const start = Math.max(offset - begin, 0)
    at += passage.length
    if (start >= passage.length) continue
    const rest = cutPassage(passage, wholeFrom(passage.text, start))
    const fitted = fitPassage(rest, room, count)
    if (!fitted) return answerOf({ passages, next: { ref, offset: begin + start } })
    passages.push(fitted.passage)
    room -= fitted.tokens
    const end = fitted.passage.start + fitted.passage.text.length
    if (end < passage.length) return answerOf({ passages, next: { ref, offset: begin + end } })
  }
  return answerOf({ passages, ...(length === 0 && { remark: `[Ref ${ref} holds no text.]` }) })
}

/** An offset chosen by the caller may hit the middle of a character. */
function wholeFrom(text: string, start: number): number {
  return (text.codePointAt(start - 1) ?? 0) > 0xffff ? start - 1 : start
}

async function passagesNamed(asked: Asked, text: string): Promise<Passage[]> {
  const followed = await followRef(asked, text, asked.find)
  const { ref } = followed
  const entry = await readNamed(followed)
  const message = entry.kind === 'checkpoint' ? summaryEntry(entry, followed) : entry
  const named = readRef(chronological([message]), ref)
  const passages = passagesOf(message)
  const own = 'role' in named ? passages : passages.filter((passage) => passage.ref === ref)
  return own.map((passage) => ({ ...passage, ref: seenFrom(followed, passage.ref) }))
}

/** A summary is what all refs name that were made of what it tells. */
function summaryEntry(
  { seq, at, summary }: EntryOf<'checkpoint'>,
  { alias }: FollowedRef,
): EntryOf<'message'> {
  const content =
    alias === undefined ? summary : mapOwnRefs(summary, (ref) => foreignRef(alias, ref))
  return { kind: 'message', seq, at, origin: 'harness', message: { role: 'user', content } }
}
