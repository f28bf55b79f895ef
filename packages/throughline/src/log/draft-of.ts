import type { Entry, EntryDraft } from './entry.ts'

/** An entry without its place: what another session can be given. */
export function draftOf(entry: Entry): EntryDraft {
  const { seq: _, ...draft } = entry
  return draft
}
