import { parsedJson } from '../json/fields.ts'
import { type Source, type Sources, type Entry, type Metadata, type Ref } from './entry.ts'
import { parseRef } from './ref.ts'

const aliasDigits = 5
const aliasCount = 36 ** aliasDigits

/**
 * The short name of a source: the same for the same source wherever it is written. It finds
 * nothing by itself: what it stands for is looked up among the sources that a log names.
 * @example
 * sourceAlias({ kind: 'session', name: 'claude:5b9cba04' }) // 'q' and five letters or digits
 */
export function sourceAlias({ kind, name }: Source): string {
  let high = 0x811c9dc5
  let low = 0x1b873593
  const text = `${kind}:${name}`
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    high = Math.imul(high ^ code, 0x01000193)
    low = Math.imul(low ^ code, 0x85ebca6b)
    low ^= low >>> 15
  }
  const hash = ((high >>> 11) * 0x1_0000_0000 + (low >>> 0)) % aliasCount
  return `q${hash.toString(36).padStart(aliasDigits, '0')}`
}

export function foreignRef(alias: string, ref: string): string {
  return `${alias}:${ref}`
}

/** Takes a foreign ref apart, or says `undefined` of any other text. */
export function parseForeignRef(text: string): { alias: string; ref: Ref } | undefined {
  const match = /^(q[0-9a-z]{5}):([\d.]{1,25})$/.exec(text)
  const [, alias, ref] = match ?? []
  if (alias === undefined || ref === undefined || !parseRef(ref)) return undefined
  return { alias, ref: ref as Ref }
}

/** The line by which a text names a source, for people and for reading it back. */
export function sourceLine(source: Source): string {
  return `Refs that begin with ${sourceAlias(source)}: belong to the ${source.kind} ${JSON.stringify(source.name)}.`
}

const mostSources = 32
const longestName = 500

/** The source that a line names; `undefined` of any other line, and of a name that is not its own. */
export function readSourceLine(line: string): Source | undefined {
  const match =
    /^Refs that begin with (q[0-9a-z]{5}): belong to the (session|file) ("[^\n]{1,1000}")\.$/.exec(
      line,
    )
  const [, alias, kind, quoted] = match ?? []
  if (quoted === undefined) return undefined
  const source = sourceFrom({ kind, name: parsedJson(quoted) })
  return source && sourceAlias(source) === alias ? source : undefined
}

/** The sources that a text names in lines of its own. */
export function readSources(text: string): Sources {
  const found = text.split('\n').flatMap((line) => readSourceLine(line) ?? [])
  return byAlias(found.slice(0, mostSources))
}

function byAlias(sources: readonly Source[]): Sources {
  return Object.fromEntries(sources.map((source) => [sourceAlias(source), source]))
}

/** The sources in an entry's metadata. A log may come from anywhere: everything else is ignored. */
export function sourcesIn(metadata: Metadata | undefined): Sources {
  const named: unknown = metadata?.sources
  if (typeof named !== 'object' || named === null) return {}
  const found = Object.values(named).flatMap((value) => sourceFrom(value) ?? [])
  return byAlias(found.slice(0, mostSources))
}

function sourceFrom(value: unknown): Source | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { kind, name } = value as { kind?: unknown; name?: unknown }
  if (kind !== 'session' && kind !== 'file') return undefined
  if (typeof name !== 'string' || name === '' || name.length > longestName) return undefined
  return { kind, name }
}

/** All sources that the entries of a log name. */
export function sourcesOf(entries: Iterable<Entry>): Sources {
  const sources: Record<string, Source> = {}
  for (const entry of entries) {
    if (entry.kind === 'checkpoint' || entry.kind === 'message') {
      Object.assign(sources, sourcesIn(entry.metadata))
    }
  }
  return sources
}
