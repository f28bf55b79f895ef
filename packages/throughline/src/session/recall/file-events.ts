import { outputText } from '../../log/message-text.ts'
import { partsOf, type ToolCallPart, type ToolResultPart } from '../../log/message.ts'
import { readCall } from '../../facts/lenses/read-call.ts'
import { searchPhrases } from './search-words.ts'
import { read, type Asked } from './asked.ts'
import { mostHits } from './hits.ts'
import { isOwn } from './answer.ts'
import { passageOf, type Passage } from './passage.ts'
import type { Effect } from '../../facts/lens.ts'
import type { Entry, EntryOf, Seq } from '../../log/entry.ts'
import type { Find } from './finds.ts'
import { cleanPath, isAbsolute } from '../../facts/paths/clean-path.ts'

const batch = 10
// A result follows its call; for calls that were made together, it follows the last of them.
const reach = 24

/** The calls that read or changed a file, each with its result, newest first. */
export async function* fileEvents(asked: Asked, path: string): AsyncGenerator<Find> {
  const seqs = await mentions(asked, path)
  let position = 0
  for (let from = 0; from < seqs.length; from += batch) {
    const wanted = seqs.slice(from, from + batch)
    const entries = await read(asked, { seqs: [...new Set(wanted.flatMap(withReach))] })
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
