import type { NameFact, NameKind } from '../../../facts/facts.ts'
import type { Facts } from './request.ts'
import type { SaidWords } from './said-words.ts'
import type { Worth } from './worth.ts'
import type { FileLine } from './file-lines.ts'

/** A name that has a place in the list, and the file or command that it belongs to. */
export interface ListedName {
  name: string
  kind: NameKind
  owner: string
}

/**
 * The names worth most for the characters they take, best first. What stands in the text
 * already is not said again; a ticket's number says nothing without its sentence.
 *
 * A name's worth is the mean of two views of its use: how much and how lately it was used
 * (`worth`), and the sum of its uses each weighed by its time (`weight`). On real sessions
 * both together are better than either.
 */
export function rankedNames(
  index: Facts,
  { worth, said }: { worth: Worth; said: SaidWords },
): ListedName[] {
  const ranked: { name: ListedName; value: number }[] = []
  const scale = usePerWeight(index)
  const consider = (name: ListedName, value: number): void => {
    if (said.has(name.name)) return
    ranked.push({ name, value: (value * worth.ofFocus(name.name)) / (name.name.length + 1) })
  }
  for (const fact of index.names.values()) {
    if (fact.kind === 'ticket') continue
    const use = worth.ofUse(fact)
    consider(listed(fact), fact.weight === undefined ? use : Math.sqrt(use * fact.weight * scale))
  }
  for (const file of index.files.values()) {
    if (index.names.has(file.path)) continue
    const lastSeq = file.seqs.at(-1) ?? 0
    const uses = { calls: file.reads + file.edits, mentions: 0, lastSeq }
    consider({ name: file.path, kind: 'path', owner: '' }, worth.ofUse(uses))
  }
  return ranked.sort((a, b) => b.value - a.value).map(({ name }) => name)
}

/** Brings the weights of a set of facts, which compare only with each other, to the size of uses. */
function usePerWeight(index: Facts): number {
  let uses = 0
  let weights = 0
  for (const { calls, mentions, weight } of index.names.values()) {
    uses += calls + mentions
    weights += weight ?? 0
  }
  return weights === 0 ? 1 : uses / weights
}

function listed({ name, kind, owner }: NameFact): ListedName {
  return { name, kind, owner }
}

/**
 * The lines of the files with their names behind them, then a line for each other file of
 * the list that has names, then what belongs to none of them.
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
