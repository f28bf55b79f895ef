import {
  applyEdits,
  findNodeAtLocation,
  modify,
  parse,
  parseTree,
  printParseErrorCode,
  type ParseError,
} from 'jsonc-parser'
import { isDeepStrictEqual } from 'node:util'
import { ConfigurationEditError, type JsonEntry } from './change.ts'

/**
 * A configuration with these entries in it. Everything else stays byte for byte: comments, order,
 * indentation. The same entries again change nothing.
 * @throws ConfigurationEditError if the text is no JSON, or something else stands where they belong.
 */
export function withJsonEntries(text: string, entries: readonly JsonEntry[]): string {
  let now = text.trim() === '' ? `${text}{}\n` : text
  checkObject(now)
  for (const entry of entries) {
    now = written(now, entry)
    if (!isDeepStrictEqual(valueIn(now, entry), entry.value)) {
      throw new ConfigurationEditError(`${entry.at.join('.')} could not be set there`)
    }
  }
  return now
}

/** The configuration without these entries, and without lists and objects that they leave empty. */
export function withoutJsonEntries(text: string, entries: readonly JsonEntry[]): string {
  if (text.trim() === '') return text
  checkObject(text)
  return entries.toReversed().reduce(removed, text)
}

function written(text: string, entry: JsonEntry): string {
  const { at, value, mark } = entry
  if (isDeepStrictEqual(valueIn(text, entry), value)) return text
  const parent = at.slice(0, -1).findIndex((_, index) => {
    const found = valueAt(text, at.slice(0, index + 1))
    return found !== undefined && !isObject(found)
  })
  if (parent !== -1) {
    throw new ConfigurationEditError(`${at.slice(0, parent + 1).join('.')} is not an object`)
  }
  if (mark === undefined) return changed(text, [...at], value)
  const list = valueAt(text, at)
  if (list === undefined) return changed(text, [...at], [value])
  if (!Array.isArray(list)) throw new ConfigurationEditError(`${at.join('.')} is not a list`)
  const index = list.findIndex((item) => holds(item, mark))
  if (index === -1) return changed(text, [...at, list.length], value, true)
  return changed(text, [...at, index], value)
}

function removed(text: string, { at, mark }: JsonEntry): string {
  let now = text
  if (mark === undefined) {
    if (valueAt(now, at) === undefined) return now
    now = changed(now, [...at], undefined)
  } else {
    const list = valueAt(now, at)
    const index = Array.isArray(list) ? list.findIndex((item) => holds(item, mark)) : -1
    if (index === -1) return now
    now = changed(now, [...at, index], undefined)
    if (isEmpty(now, at)) now = changed(now, [...at], undefined)
  }
  for (let depth = at.length - 1; depth > 0 && isEmpty(now, at.slice(0, depth)); depth--) {
    now = changed(now, at.slice(0, depth), undefined)
  }
  return now
}

function changed(text: string, at: (string | number)[], value: unknown, inserts = false): string {
  const formattingOptions = formattingOf(text)
  const edits = modify(text, at, value, { formattingOptions, isArrayInsertion: inserts })
  return applyEdits(text, edits)
}

function formattingOf(text: string) {
  const indent = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  '
  return {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  }
}

function checkObject(text: string): void {
  const errors: ParseError[] = []
  const found: unknown = parse(text, errors, { allowTrailingComma: true })
  const [error] = errors
  if (error) {
    const line = text.slice(0, error.offset).split('\n').length
    throw new ConfigurationEditError(
      `line ${line} is not JSON (${printParseErrorCode(error.error)})`,
    )
  }
  if (!isObject(found)) throw new ConfigurationEditError('it does not hold an object')
}

function valueIn(text: string, { at, mark }: JsonEntry): unknown {
  const found = valueAt(text, at)
  if (mark === undefined) return found
  return Array.isArray(found) ? found.find((item) => holds(item, mark)) : undefined
}

function valueAt(text: string, at: readonly string[]): unknown {
  let found: unknown = parse(text, [], { allowTrailingComma: true })
  for (const key of at) {
    if (!isObject(found) || !Object.hasOwn(found, key)) return undefined
    found = found[key]
  }
  return found
}

function holds(item: unknown, mark: string): boolean {
  return JSON.stringify(item)?.includes(JSON.stringify(mark).slice(1, -1)) ?? false
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** As it is written: a key such as `__proto__` is none of a parsed object's. */
function isEmpty(text: string, at: readonly string[]): boolean {
  const tree = parseTree(text, [], { allowTrailingComma: true })
  const node = tree && findNodeAtLocation(tree, [...at])
  return (node?.type === 'object' || node?.type === 'array') && node.children?.length === 0
}
