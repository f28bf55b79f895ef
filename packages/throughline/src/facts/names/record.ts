import { cleanPath, relativeTo, onPlatform, platformOf } from '../paths/clean-path.ts'
import { scanNames, type NameVisitor } from './scan.ts'
import { ownText } from '../own-text.ts'
import { spellPath } from '../paths/directories.ts'
import type { Platform } from '../paths/clean-path.ts'
import type { FileFact, NameFact, NameKind } from '../facts.ts'
import type { FactsState } from '../fold-memory.ts'
import type { Seq } from '../../log/entry.ts'

/** How a file's part of a patch or of a diff begins. */
const HEADERS = [
  { mark: '*** Update File: ', path: (line: string): string => line },
  { mark: '*** Add File: ', path: (line: string): string => line },
  {
    mark: 'diff --git a/',
    path: (line: string): string => line.slice(0, Math.max(line.indexOf(' b/'), 0)),
  },
] as const

/**
 * Like `recordNames`; in a patch of several files, each name belongs to the file in which it
 * occurs.
 */
export function recordSections(facts: FactsState, text: string, source: NameSource): void {
  const sections = HEADERS.some(({ mark }) => text.includes(mark)) ? sectionsOf(text) : []
  let start = 0
  let { owner, ownerIsFile } = source
  for (const { at, path } of sections) {
    recordNames(facts, text.slice(start, at), { ...source, owner, ownerIsFile })
    start = at
    owner = spellPath(facts, path) ?? source.owner
    ownerIsFile = true
  }
  recordNames(facts, start === 0 ? text : text.slice(start), { ...source, owner, ownerIsFile })
}

function sectionsOf(text: string): { at: number; path: string }[] {
  const sections: { at: number; path: string }[] = []
  for (let at = 0; at < text.length;) {
    const header = HEADERS.find(({ mark }) => text.startsWith(mark, at))
    const newLine = text.indexOf('\n', at)
    const end = newLine < 0 ? text.length : newLine
    if (header)
      sections.push({ at, path: header.path(text.slice(at + header.mark.length, end)).trim() })
    at = end + 1
  }
  return sections
}

/** A name fact with fields that only the recorder reads. */
interface NameRecord extends NameFact {
  weight: number
  /** The newest text that it occurred in, doubled, plus one if it occurred there twice. */
  text: number
  /**
   * The quality of the owner: 0 none, 1 a command, 2 a file, 3 a file that a call was about. Paths
   * have none.
   */
  tie: number
}

/** Where a name was found. `summary`: in a model's words about earlier messages. */
type NameUse = 'call' | 'mention' | 'summary'

export interface NameSource {
  use: NameUse
  seq: Seq
  owner: string
  ownerIsFile: boolean
}

/**
 * A name in the input of a call counts as much as five elsewhere. Measured as forward need on the
 * corpus, at 1,500 and 3,000 tokens of names: 3 is as good, 1 is worse.
 */
const CALL_WEIGHT = 5
/** Names beyond this number come from machine listings; calls may still add theirs. */
const MOST_NAMES = 250_000
/** A summary may contain names that occur nowhere else: each counts as one mention long ago. */
const SUMMARY_WEIGHT = 1

/**
 * Adds the names of a text to the facts. A use counts in proportion to how late in the session it
 * occurs, which ranks as well as a half-life of a fifth of the session and needs no second pass. A
 * name counts at most twice per text.
 */
export function recordNames(facts: FactsState, text: string, source: NameSource): void {
  const { memory } = facts
  memory.texts++
  const recorder = new NameRecorder(facts, source)
  scanNames(text, recorder)
  memory.position += text.length
}

class NameRecorder implements NameVisitor {
  readonly #names: Map<string, NameRecord>
  readonly #files: ReadonlyMap<string, FileFact>
  readonly #prefix: string
  readonly #platform: Platform
  readonly #source: NameSource
  readonly #text: number
  readonly #weight: number
  readonly #tie: number
  #lineOwner = ''
  #lineEnd = 0

  constructor(facts: FactsState, source: NameSource) {
    const { texts, position } = facts.memory
    this.#files = facts.files
    this.#names = facts.names as Map<string, NameRecord>
    this.#prefix = facts.root === '' ? '' : `${facts.root}/`
    this.#platform = platformOf(facts)
    this.#source = source
    this.#text = texts * 2
    this.#weight =
      source.use === 'summary' ? 0 : (position + 1) * (source.use === 'call' ? CALL_WEIGHT : 1)
    this.#tie = source.owner === '' ? 0 : !source.ownerIsFile ? 1 : source.use === 'call' ? 3 : 2
  }

  name(text: string, start: number, end: number, kind: NameKind, lineStart: boolean): void {
    const line = lineStart && (kind === 'path' || kind === 'identifier')
    const stop = line ? withoutLineNumber(text, start, end) : end
    const name = this.#spell(text.slice(start, stop), kind)
    if (line) this.#own(text, name, stop, end)
    const record = this.#names.get(name)
    if (record === undefined) this.#add(name, kind, start)
    else this.#count(record, start)
  }

  #spell(word: string, kind: NameKind): string {
    if (kind !== 'path') return word
    if (this.#platform !== 'unix') {
      const path = onPlatform(this.#platform, cleanPath(word) ?? word)
      return relativeTo(this.#prefix.slice(0, -1), path)
    }
    return this.#prefix !== '' && word.startsWith(this.#prefix)
      ? word.slice(this.#prefix.length)
      : word
  }

  /** `src/a.ts:12: …` and `src/a.ts(3,1): …`: the rest of the line belongs to that file. */
  #own(text: string, name: string, stop: number, end: number): void {
    const next = text.charCodeAt(end)
    const isPlace = (next === 58 || next === 40) && isDigit(text.charCodeAt(end + 1))
    if (stop === end && !isPlace) return
    const newLine = text.indexOf('\n', end)
    this.#lineOwner = name
    this.#lineEnd = newLine < 0 ? text.length : newLine
  }

  #add(name: string, kind: NameKind, start: number): void {
    const { use, seq } = this.#source
    if (this.#names.size >= MOST_NAMES && use !== 'call') return
    const own = ownText(name)
    const record: NameRecord = {
      name: own,
      kind,
      owner: '',
      calls: use === 'call' ? 1 : 0,
      mentions: use === 'mention' ? 1 : 0,
      lastSeq: seq,
      weight: use === 'summary' ? SUMMARY_WEIGHT : this.#weight,
      text: this.#text,
      tie: 0,
    }
    this.#tieTo(record, start)
    this.#names.set(own, record)
  }

  #count(record: NameRecord, start: number): void {
    const { use, seq } = this.#source
    // Only whom it belongs to may be new.
    if (use === 'summary') return this.#tieTo(record, start)
    if (use === 'call') record.calls++
    else record.mentions++
    record.lastSeq = seq
    if (record.text < this.#text) {
      record.text = this.#text
      record.weight += this.#weight
    } else if (record.text === this.#text) {
      record.text++
      record.weight += this.#weight
    }
    if (record.tie < 3) this.#tieTo(record, start)
  }

  /** An owner in the text that the facts have of it already. */
  #ownerAs(owner: string): string {
    return this.#files.get(owner)?.path ?? this.#names.get(owner)?.name ?? ownText(owner)
  }

  #tieTo(record: NameRecord, start: number): void {
    if (record.kind === 'path') return
    const inLine = start < this.#lineEnd
    const tie = inLine ? 2 : this.#tie
    if (tie <= record.tie) return
    const owner = inLine ? this.#lineOwner : this.#source.owner
    if (owner === record.name) return
    record.owner = this.#ownerAs(owner)
    record.tie = tie
  }
}

/** `src/a.ts-12-`, as `grep -C` prints it, is `src/a.ts`. */
function withoutLineNumber(text: string, start: number, end: number): number {
  if (text.charCodeAt(end) !== 45) return end
  let at = end
  while (at > start && isDigit(text.charCodeAt(at - 1))) at--
  return at < end && at - start > 3 && text.charCodeAt(at - 1) === 45 ? at - 1 : end
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}
