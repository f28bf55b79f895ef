import type { EntryDraft, Seq } from '../../log/entry.ts'

/** The finished drafts of a reader, and the seq that the newest of them will have. */
export interface DraftQueue {
  ready: EntryDraft[]
  given: Seq
}

export function draftQueue(): DraftQueue {
  return { ready: [], given: 0 }
}

/** Adds a draft and returns its future seq. */
export function give(queue: DraftQueue, draft: EntryDraft): Seq {
  queue.ready.push(draft)
  return ++queue.given
}

const none: EntryDraft[] = []

/** The drafts finished since the last call. */
export function takeReady(queue: DraftQueue): EntryDraft[] {
  if (queue.ready.length === 0) return none
  const { ready } = queue
  queue.ready = []
  return ready
}
