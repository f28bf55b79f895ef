import type { NameFact, NameKind } from '../index/facts.ts'
import type { Facts } from './request.ts'
import type { StandingWords } from './standing-words.ts'
import type { Worth } from './worth.ts'

/** A name that has a place in the list, and the file or command that it belongs to. */
export interface ListedName {
  name: string
  kind: NameKind
  owner: string
}

/**
 * The names worth most for the characters they take, best first. What stands in the text
 * already is not said again; a ticket's number says nothing without its sentence.
 */
export function rankedNames(
  index: Facts,
  { worth, standing }: { worth: Worth; standing: StandingWords },
): ListedName[] {
  const ranked: { name: ListedName; value: number }[] = []
  const consider = (name: ListedName, value: number): void => {
    if (!standing.has(name.name)) ranked.push({ name, value: value / (name.name.length + 1) })
  }
  for (const fact of index.names.values()) {
    if (fact.kind === 'ticket') continue
    consider(listed(fact), worth.ofUse({ ...fact, text: fact.name }))
  }
  for (const file of index.files.values()) {
    if (index.names.has(file.path)) continue
    const lastSeq = file.seqs.at(-1) ?? 0
    const uses = { calls: file.reads + file.edits, mentions: 0, lastSeq, text: file.path }
    consider({ name: file.path, kind: 'path', owner: '' }, worth.ofUse(uses))
  }
  return ranked.sort((a, b) => b.value - a.value).map(({ name }) => name)
}

function listed({ name, kind, owner }: NameFact): ListedName {
  return { name, kind, owner }
}
