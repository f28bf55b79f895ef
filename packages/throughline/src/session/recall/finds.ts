import { fitPassage, type Passage } from './passage.ts'
import { roomFor } from './answer.ts'
import type { Asked } from './asked.ts'

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
