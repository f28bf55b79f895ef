import { isListed, worthOfName, worthOfUse } from '../../../facts/forget/worth.ts'
import { Ranking } from './ranking.ts'
import type { FileFact, NameFact, NameKind } from '../../../facts/facts.ts'
import type { Facts } from './request.ts'
import type { SaidWords } from './clip-words.ts'
import type { Worth } from './ranking.ts'
import type { FileLine } from './file-lines.ts'

/** A listed name, and the file or command that it belongs to. */
export interface ListedName {
  name: string
  kind: NameKind
  owner: string
}

/** All names by what they are worth for their length. */
export function rankingOfNames(index: Facts, worth: Worth): Ranking<NameFact | FileFact> {
  const scale = usePerWeight(index)
  const names: (NameFact | FileFact)[] = []
  const values: number[] = []
  const consider = (name: NameFact | FileFact, text: string, value: number): void => {
    names.push(name)
    values.push((value * worth.ofFocus(text)) / (text.length + 1))
  }
  for (const fact of index.names.values()) {
    if (isListed(fact)) consider(fact, fact.name, worthOfName(fact, worth.now, scale))
  }
  for (const file of index.files.values()) {
    if (index.names.has(file.path)) continue
    const lastSeq = file.seqs.at(-1) ?? 0
    const uses = { calls: file.reads + file.edits, mentions: 0, lastSeq }
    consider(file, file.path, worthOfUse(uses, worth.now))
  }
  return new Ranking(names, values)
}

/** The best names that do not already appear in the text, at most `most` of them. */
export function rankedNames(
  ranking: Ranking<NameFact | FileFact>,
  { said, most }: { said: SaidWords; most: number },
): ListedName[] {
  const ranked: ListedName[] = []
  for (let place = 0; ranked.length < most; place++) {
    const fact = ranking.at(place)
    if (fact === undefined) break
    const name = listed(fact)
    if (!said.has(name.name)) ranked.push(name)
  }
  return ranked
}

/**
 * Scales the weights of a set of facts, which can only be compared with each other, to the range of
 * uses.
 */
function usePerWeight(index: Facts): number {
  let uses = 0
  let weights = 0
  for (const { calls, mentions, weight } of index.names.values()) {
    uses += calls + mentions
    weights += weight ?? 0
  }
  return weights === 0 ? 1 : uses / weights
}

function listed(fact: NameFact | FileFact): ListedName {
  if ('path' in fact) return { name: fact.path, kind: 'path', owner: '' }
  const { name, kind, owner } = fact
  return { name, kind, owner }
}

/**
 * The lines of the files, each followed by its names; then a line for each other listed file that
 * has names; then names that belong to no file.
 */
export function groupedNames(files: readonly FileLine[], names: readonly ListedName[]): string[] {
  const owners = new Map<string, string[]>(files.map(({ path }) => [path, []]))
  for (const { name, kind } of names) if (kind === 'path') owners.set(name, [])
  const loose: ListedName[] = []
  for (const entry of names) {
    const own = entry.kind === 'path' ? undefined : owners.get(entry.owner)
    if (own) own.push(entry.name)
    else loose.push(entry)
  }
  const listed = new Set(files.map(({ path }) => path))
  const lines = files.map(({ path, line }) => withNames(line, owners.get(path) ?? []))
  const more: string[] = []
  for (const [path, own] of owners) {
    if (!listed.has(path) && own.length > 0) more.push(withNames(path, own))
  }
  const paths = loose.filter(({ name, kind }) => kind === 'path' && owners.get(name)?.length === 0)
  const others = loose.filter(({ kind }) => kind !== 'path')
  return [...lines, ...more, ...line('More paths:', paths), ...line('More names:', others)]
}

function withNames(line: string, names: readonly string[]): string {
  return names.length === 0 ? line : `${line}: ${names.join(' ')}`
}

function line(label: string, names: readonly ListedName[]): string[] {
  return names.length === 0 ? [] : [`${label} ${names.map(({ name }) => quoted(name)).join(' ')}`]
}

function quoted(name: string): string {
  return name.includes(' ') ? `"${name}"` : name
}
