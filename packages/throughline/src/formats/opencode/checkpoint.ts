import { fieldsOf, nameOf, objectsOf, textOf, type Fields } from '../../json/fields.ts'
import { continuationOf } from './continuation.ts'
import { giveDraft, type Marker, type State } from './state.ts'
import { usageOf } from './usage.ts'
import type { Metadata, Seq, TailItem } from '../../log/entry.ts'

const noSummary = 'opencode compacted the session here. Its summary is empty.'

/** Gives a compaction, and says which message `next` it used up as its continuation. */
export function giveCheckpoint(
  state: State,
  summary: Fields,
  next: Fields | undefined,
): Fields | undefined {
  const info = fieldsOf(summary['info']) ?? {}
  const marker = state.markers.get(nameOf(info['parentID']) ?? '')
  if (!marker) return undefined
  const texts = objectsOf(summary['parts']).flatMap((part) =>
    part['type'] === 'text' ? (textOf(part['text']) ?? []) : [],
  )
  const text = texts.join('\n')
  const continuation = continuationOf(marker, next)
  giveDraft(state, {
    kind: 'checkpoint',
    at: state.at,
    base: marker.base,
    summary: text.trim() === '' ? noSummary : text,
    summarizer: 'opencode',
    tail: tailOf(state, marker),
    continuation,
    metadata: metadataOf(marker, info, continuation ? next : undefined),
  })
  return continuation ? next : undefined
}

const longestTail = 500

/** What was kept word for word: from the message that the marker names up to the marker. */
function tailOf(state: State, { part, base }: Marker): TailItem[] {
  const first = state.firstOf.get(nameOf(part['tail_start_id']) ?? '')
  if (first === undefined) return []
  const end = countUpTo(state.messageSeqs, base)
  const start = Math.max(countUpTo(state.messageSeqs, first - 1), end - longestTail)
  return state.messageSeqs.slice(start, end).map((seq) => {
    const replacements = state.cleared.get(seq)
    return { type: 'entry', seq, ...(replacements && { replacements }) }
  })
}

/** How many of these seqs, which only grow, are not above `most`. */
function countUpTo(seqs: readonly Seq[], most: Seq): number {
  let low = 0
  let high = seqs.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((seqs[middle] ?? 0) <= most) low = middle + 1
    else high = middle
  }
  return low
}

function metadataOf({ part }: Marker, info: Fields, continued: Fields | undefined): Metadata {
  const preTokens = usageOf(info['tokens'])?.inputTokens
  const ids = [part['messageID'], info['id'], fieldsOf(continued?.['info'])?.['id']]
  return {
    trigger: part['auto'] === true ? 'auto' : 'manual',
    ...(preTokens !== undefined && { preTokens }),
    source: { records: ids.flatMap((id) => nameOf(id) ?? []) },
  }
}
