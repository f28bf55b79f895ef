import { nameOf, type Fields } from '../../json/fields.ts'

// What records are called by that name the ones before them, and how they name those.
const linkNames = [
  { own: 'uuid', parent: 'parentUuid' },
  { own: 'id', parent: 'parentId' },
] as const

/** What is known of the records of a stretch: how those are called that stand in it. */
export type Known = Set<string>

/** Takes a record, and says whether it follows one that stands before all that is known. */
export function leadsBack(known: Known, record: Fields): boolean {
  let back = false
  // What a subagent said is on no way of the session.
  if (record['isSidechain'] === true) return false
  for (const { own, parent } of linkNames) {
    const name = nameOf(record[own])
    const before = nameOf(record[parent])
    if (name === undefined) continue
    if (before !== undefined && known.size > 0 && !known.has(before)) back = true
    known.add(name)
  }
  return back
}
