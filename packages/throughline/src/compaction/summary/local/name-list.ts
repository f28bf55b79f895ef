import { isListed, worthOfName, worthOfUse } from '../../../facts/forget/worth.ts'
import { Ranking } from './ranking.ts'
import type { FileFact, NameFact, NameKind } from '../../../facts/facts.ts'
import type { Facts } from './request.ts'
import type { SaidWords } from './clip-words.ts'
import type { ListedNames } from './room.ts'
import type { Worth } from './ranking.ts'
import type { FileLine } from './file-lines.ts'

/** A listed name, and the file or command that it belongs to. */
interface ListedName {
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
  const isNoPath = twoWordsIn(index)
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

const TWO_WORDS = /^([A-Za-z][\w-]{0,30})\/[A-Za-z][\w-]{0,30}$/

/** `true/false`: two words, unless somebody used them as a path, or a known path has such a directory. */
function twoWordsIn({ files }: Facts): (fact: NameFact) => boolean {
  let directories: Set<string> | undefined
  return ({ name, kind, calls }) => {
    const first = kind === 'path' && calls === 0 ? TWO_WORDS.exec(name)?.[1] : undefined
    if (first === undefined) return false
    directories ??= new Set(Array.from(files.keys(), (path) => path.split('/').slice(0, -1)).flat())
    return !directories.has(first)
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
  return 'path' in fact ? { name: fact.path, kind: 'path', owner: '' } : fact
}

/** A file that is listed, and its names in the order of their worth. */
interface Owner {
  /** What its names follow. */
  line: string
  /** Where its path stands among all names; before them, where the file has a line of its own. */
  place: number
  names: string[]
  /** Where each of these stands among all names. */
  places: number[]
}

/** A name that is listed without a file, as long as the path of its file is not among the listed. */
interface Loose {
  name: string
  place: number
  owner: Owner | undefined
}

/** The best names that do not already appear in a text, as lines below those of files. */
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
 * For any number of the first names: the lines of the files, each followed by its names; then a line
 * for each other listed file that has names; then names that belong to no file. What belongs
 * together is found out once, since numbers are tried until the lines fit.
 */
function groupedNames(
  files: readonly FileLine[],
  names: readonly ListedName[],
): (count: number) => string[] {
  const owners = new Map<string, Owner>()
  for (const { path, line } of files) {
    owners.set(path, { line, place: -1, names: [], places: [] })
  }
  const paths: Loose[] = []
  for (let place = 0; place < names.length; place++) {
    const { name, kind } = names[place] as ListedName
    if (kind !== 'path') continue
    let owner = owners.get(name)
    if (!owner) owners.set(name, (owner = { line: name, place, names: [], places: [] }))
    paths.push({ name: quoted(name), place, owner })
  }
  const others: Loose[] = []
  for (let place = 0; place < names.length; place++) {
    const { name, kind, owner: path } = names[place] as ListedName
    if (kind === 'path') continue
    const owner = owners.get(path)
    owner?.names.push(name)
    owner?.places.push(place)
    if (!owner || owner.place > place) others.push({ name: quoted(name), place, owner })
  }
  return (count) => {
    const lines: string[] = []
    for (const owner of owners.values()) {
      if (owner.place >= count) break
      const own = countBefore(count, owner.places)
      if (own > 0) lines.push(`${owner.line}: ${owner.names.slice(0, own).join(' ')}`)
      else if (owner.place === -1) lines.push(owner.line)
    }
    const alone = looseBefore(count, paths, ({ owner }) => owner?.places[0])
    const free = looseBefore(count, others, ({ owner }) => owner?.place)
    lines.push(...line('More paths:', alone), ...line('More names:', free))
    return lines
  }
}

/** The names of those before a place that do not stand in another line from a place before it on. */
function looseBefore(
  count: number,
  all: readonly Loose[],
  elsewhere: (loose: Loose) => number | undefined,
): string[] {
  const names: string[] = []
  for (const loose of all) {
    if (loose.place >= count) break
    if ((elsewhere(loose) ?? count) >= count) names.push(loose.name)
  }
  return names
}

/** How many of these places, which ascend, are before another. */
function countBefore(place: number, places: readonly number[]): number {
  let low = 0
  let high = places.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((places[middle] as number) < place) low = middle + 1
    else high = middle
  }
  return low
}

function line(label: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`${label} ${names.join(' ')}`]
}

function quoted(name: string): string {
  return name.includes(' ') ? `"${name}"` : name
}
