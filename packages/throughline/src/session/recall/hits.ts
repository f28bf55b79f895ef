import { partsOf } from '../../log/message.ts'
import { isOwn } from './own.ts'
import { passageOf, type Passage } from './passage.ts'
import { around, bestSpot } from './spot.ts'
import { read, type Asked } from './asked.ts'
import type { Entry } from '../../log/entry.ts'
import type { Search } from '../store.ts'
import type { Find } from './finds.ts'

/** The most hits that one question has. */
export const mostHits = 200
const batch = 20

/** The messages that a search finds, the best first: of each the part with most of its words. */
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

/** Nothing where the words stand only in questions to the record and in its answers. */
function hitIn(entry: Entry | undefined, phrases: Search['phrases']): Passage | undefined {
  if (entry?.kind !== 'message') return undefined
  let best: Hit | undefined
  for (const [index, part] of partsOf(entry.message).entries()) {
    const passage = passageOf(entry, part, index)
    if (isOwn(part) || passage.length === 0) continue
    const spot = bestSpot(passage.text, phrases) ?? bestSpot(passage.tool ?? '', phrases)
    const found = spot?.found ?? 0
    const at = Math.min(spot?.at ?? 0, passage.length)
    if (found > (best?.found ?? 0)) best = { passage, found, at }
  }
  return best && around(best.passage, best.at)
}
