import { otherNamesLabel, otherPathsLabel } from '../labels.ts'
import { isListed, worthOfName, worthOfUse } from '../forget/worth.ts'
import { Ranking, type Worth } from './ranking.ts'
import type { FileFact, NameFact, NameKind } from '../facts.ts'
import type { Facts } from './known-facts.ts'
import type { SaidWords } from './clip-words.ts'
import type { ListedNames } from './room.ts'
import type { FileLine } from './file-lines.ts'

/** A listed name, and the file or command that it belongs to. */
interface ListedName {
  name: string
  kind: NameKind
  owner: string
  /** A call named it: it is more than what a text mentions. */
  isUsed: boolean
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
  const isNoPath = noPathIn(index)
  for (const fact of index.names.values()) {
    if (isListed(fact) && !isNoPath(fact))
      consider(fact, fact.name, worthOfName(fact, worth.now, scale))
  }
  for (const file of index.files.values()) {
    if (index.names.has(file.path)) continue
    const lastSeq = file.seqs.at(-1) ?? 0
    const uses = { calls: file.reads + file.edits, mentions: 0, lastSeq }
    consider(file, file.path, worthOfUse(uses, worth.now))
  }
  return new Ranking(names, values)
}

/** `read/write` and a package's path look like paths: of those, a file has an ending. */
const IS_FILE = /[^/\\]\.\w{1,10}$/

/** Whether a path is neither a file's nor the directory of a known one. */
function noPathIn({ files }: Facts): (fact: NameFact) => boolean {
  const directories = new Set<string>()
  for (const path of files.keys()) {
    let end = path.lastIndexOf('/')
    for (; end > 0 && !directories.has(path.slice(0, end)); end = path.lastIndexOf('/', end - 1)) {
      directories.add(path.slice(0, end))
    }
  }
  return ({ name, kind }) => {
    if (kind !== 'path' || IS_FILE.test(name)) return false
    return !name.includes('/') || !directories.has(name)
  }
}

/** The best names that do not already appear in the text, at most `most` of them. */
function rankedNames(
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
  return 'path' in fact
    ? { name: fact.path, kind: 'path', owner: '', isUsed: true }
    : { ...fact, isUsed: fact.calls > 0 }
}

/** What names are listed after: a file's line, a path that was used, or a label. */
interface Owner {
  line: string
  /** Where its path is among all names; before them, where the file has a line of its own. */
  place: number
  names: string[]
  /** Where each of these is among all names. */
  places: number[]
}

/** The best names that do not already appear in a text, after the files that they belong to. */
export function namesBelow(
  files: readonly FileLine[],
  ranking: Ranking<NameFact | FileFact>,
  said: SaidWords,
): (most: number) => ListedNames {
  return (most) => {
    const names = rankedNames(ranking, { said, most })
    return { length: names.length, linesOf: groupedNames(files, names) }
  }
}

/**
 * For any number of the first names: the lines of the files and the paths that were used, each
 * followed by its names; then used paths without names, and used names without a path. What texts
 * only mention is listed nowhere else. What belongs together is found out once, since numbers are
 * tried until the lines fit.
 */
function groupedNames(
  files: readonly FileLine[],
  names: readonly ListedName[],
): (count: number) => string[] {
  const owners = new Map<string, Owner>()
  const own = (line: string, place: number): Owner => ({ line, place, names: [], places: [] })
  for (const { path, line } of files) owners.set(path, own(line, -1))
  for (const [place, { name, kind, isUsed }] of names.entries()) {
    if (kind === 'path' && isUsed && !owners.has(name)) owners.set(name, own(quoted(name), place))
  }
  const others = own('', -1)
  for (const [place, { name, kind, owner, isUsed }] of names.entries()) {
    if (kind === 'path') continue
    const listed = owners.get(owner) ?? (isUsed ? others : undefined)
    listed?.names.push(quoted(name))
    listed?.places.push(place)
  }
  return (count) => {
    const lines: string[] = []
    const alone: string[] = []
    for (const { line, place, names, places } of owners.values()) {
      if (place >= count) continue
      const shown = countBefore(count, places)
      if (shown > 0) lines.push(`${line}: ${names.slice(0, shown).join(' ')}`)
      else (place < 0 ? lines : alone).push(line)
    }
    if (alone.length > 0) lines.push(otherPathsLabel + alone.join(' '))
    const rest = others.names.slice(0, countBefore(count, others.places))
    if (rest.length > 0) lines.push(otherNamesLabel + rest.join(' '))
    return lines
  }
}

/** How many of these places, which ascend, are before another. */
function countBefore(place: number, places: readonly number[]): number {
  const after = places.findIndex((one) => one >= place)
  return after < 0 ? places.length : after
}

function quoted(name: string): string {
  return name.includes(' ') ? `"${name}"` : name
}
