import { partsOf } from '../../log/message.ts'
import { isOwn, roomFor } from './answer.ts'
import { passageOf, cutPassage, fitPassage, type Passage } from './passage.ts'
import { read, type Asked } from './question.ts'
import { safeEnd } from '../../compaction/clip/clip.ts'
import { bestSpot, phraseSpots, startBefore } from './search-words.ts'
import type { Entry } from '../../log/entry.ts'
import type { Search } from '../store.ts'

/** What was found: passages that are shown together, with their position in the list. */
export interface Find {
  position: number
  passages: readonly Passage[]
}

/** The finds that fit in one answer. */
interface FoundPage {
  passages: Passage[]
  /** The position of the first find that doesn't fit. */
  next: number | undefined
  /** Whether there is any find at all, including before this page. */
  any: boolean
}

const mostFinds = 10
// The limit of each passage with its tags, in tokens; its ref gives the rest.
const share = 250

/** As many finds from `offset` on as fit next to the remark; at least one. */
export async function pageOf(
  { tokens, count }: Asked,
  finds: AsyncIterable<Find>,
  offset: number,
  remark: string,
): Promise<FoundPage> {
  const passages: Passage[] = []
  let room = roomFor(tokens, remark, count)
  let shown = 0
  let any = false
  for await (const find of finds) {
    any = true
    if (find.position < offset) continue
    const full = shown === mostFinds || (shown > 0 && room < share * find.passages.length)
    if (full) return { passages, next: find.position, any }
    shown += 1
    for (const passage of find.passages) {
      const fitted = fitPassage(passage, Math.min(share, room), count)
      if (!fitted) continue
      passages.push(fitted.passage)
      room -= fitted.tokens
    }
  }
  return { passages, next: undefined, any }
}

export const mostHits = 200
const batch = 20

/**
 * The messages that a search finds, best match first; for each, the part that has most of its
 * words.
 */
export async function* hits(asked: Asked, search: Omit<Search, 'limit'>): AsyncGenerator<Find> {
  const { store, session } = asked
  const seqs = await store.search(session, { ...search, limit: mostHits })
  for (let from = 0; from < seqs.length; from += batch) {
    const wanted = seqs.slice(from, from + batch)
    const entries = await read(asked, { seqs: wanted })
    const bySeq = new Map(entries.map((entry) => [entry.seq, entry]))
    for (const [index, seq] of wanted.entries()) {
      const passage = hitIn(bySeq.get(seq), search.phrases)
      if (passage) yield { position: from + index, passages: [passage] }
    }
  }
}

interface Hit {
  passage: Passage
  found: number
  at: number
}

/** Nothing if the words occur only in questions to the record and in its answers. */
function hitIn(entry: Entry | undefined, phrases: Search['phrases']): Passage | undefined {
  if (entry?.kind !== 'message') return undefined
  let best: Hit | undefined
  for (const [index, part] of partsOf(entry.message).entries()) {
    const passage = passageOf(entry, part, index)
    if (isOwn(part) || passage.length === 0) continue
    const spot = spotIn(passage.text, phrases) ?? spotIn(passage.tool ?? '', phrases)
    const found = spot?.found ?? 0
    const at = Math.min(spot?.at ?? 0, passage.length)
    if (found > (best?.found ?? 0)) best = { passage, found, at }
  }
  return best && around(best.passage, best.at)
}

// The length in characters of a passage around matched words, and how many characters come before
// them.
const span = 400
const lead = 100

function spotIn(text: string, phrases: Search['phrases']): ReturnType<typeof bestSpot> {
  return bestSpot(phraseSpots(text, phrases), phrases.length, span - lead)
}

/** The passage around a position, starting at the beginning of a line or word if one is near. */
function around(passage: Passage, at: number): Passage {
  const { text } = passage
  const start = startBefore(text, at, lead)
  const after = text.slice(start)
  const end = after.length <= span ? undefined : start + safeEnd(after, span)
  return cutPassage(passage, start, end)
}
