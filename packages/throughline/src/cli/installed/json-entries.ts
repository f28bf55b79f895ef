import { isDeepStrictEqual } from 'node:util'
import { ConfigurationEditError, type JsonEntry } from './change.ts'
import { json5Tree, type Json5Member, type Json5Node } from './json5-tree.ts'

/**
 * A configuration in JSON or JSON5 with these entries in it. Everything else stays byte for byte,
 * comments too. The same entries again change nothing.
 * @throws ConfigurationEditError if the text is no JSON5, or something else stands where they belong.
 */
export function withJsonEntries(text: string, entries: readonly JsonEntry[]): string {
  return entries.reduce(entered, text.trim() === '' ? `${text}{}\n` : text)
}

/** The configuration without these entries, and without lists and objects that they leave empty. */
export function withoutJsonEntries(text: string, entries: readonly JsonEntry[]): string {
  return text.trim() === '' ? text : entries.toReversed().reduce(removed, text)
}

function entered(text: string, { at, value, mark }: JsonEntry): string {
  let node = json5Tree(text)
  for (const [depth, key] of at.entries()) {
    const { members } = node
    if (!members) {
      const place = at.slice(0, depth).join('.') || 'it'
      throw new ConfigurationEditError(`${place} is not an object`)
    }
    const member = members.findLast((each) => each.key === key)
    if (!member) {
      const wanted = at
        .slice(depth + 1)
        .reduceRight<unknown>(
          (inner, each) => ({ [each]: inner }),
          mark === undefined ? value : [value],
        )
      return inserted(text, node, wanted, `${JSON.stringify(key)}: `)
    }
    node = member.node
  }
  if (mark === undefined) return replaced(text, node, value)
  if (!node.items) throw new ConfigurationEditError(`${at.join('.')} is not a list`)
  const item = node.items.find((each) => holds(each, mark))
  return item ? replaced(text, item, value) : inserted(text, node, value)
}

function replaced(text: string, { start, end, value: before }: Json5Node, value: unknown): string {
  if (isDeepStrictEqual(before, value)) return text
  return text.slice(0, start) + JSON.stringify(value) + text.slice(end)
}

/** In front of the others: so no comma behind the last one is needed, which JSON does not know. */
function inserted(text: string, node: Json5Node, value: unknown, name = ''): string {
  const first = node.members?.[0]?.start ?? node.items?.[0]?.start
  const opens = node.start + 1
  const [before, after] = [text.slice(0, opens), text.slice(opens)]
  if (first === undefined) {
    const outer = /^[^\S\n]*/.exec(before.slice(before.lastIndexOf('\n') + 1))?.[0] ?? ''
    const inner = `\n${outer}${outer.startsWith('\t') ? '\t' : '  '}`
    return `${before}${inner}${name}${shown(value, inner)}\n${outer}${after.trimStart()}`
  }
  const blank = /^[^\S\n]*\n[^\S\n]*(?=\S)/.exec(after)?.[0] ?? ' '
  return `${before}${blank}${name}${shown(value, blank)},${after}`
}

/** On several lines where what stands around it is. */
function shown(value: unknown, blank: string): string {
  const indent = blank.slice(blank.indexOf('\n') + 1)
  if (!blank.includes('\n')) return JSON.stringify(value)
  const unit = indent.startsWith('\t') ? '\t' : 2
  return JSON.stringify(value, null, unit).replaceAll('\n', `\n${indent}`)
}

function removed(text: string, { at, mark }: JsonEntry): string {
  const root = json5Tree(text)
  const path: Json5Member[] = []
  let node: Json5Node | undefined = root
  for (const key of at) {
    const member: Json5Member | undefined = node?.members?.findLast((each) => each.key === key)
    if (!member) return text
    path.push(member)
    node = member.node
  }
  const item = mark === undefined ? undefined : node?.items?.find((each) => holds(each, mark))
  if (mark !== undefined && !item) return text
  if (item && (node?.items?.length ?? 0) > 1) return cut(text, item.start, item.end)
  const lone = path.findLastIndex(({ node: inner }, depth) => {
    return depth < path.length - 1 && (inner.members?.length ?? 0) > 1
  })
  const gone = path[lone + 1] as Json5Member
  return cut(text, gone.start, gone.node.end)
}

/** Takes away a member or an item, with the comma that parts it from its neighbors. */
function cut(text: string, start: number, end: number): string {
  const after = /^\s*,/.exec(text.slice(end))?.[0]
  const before = text.slice(0, start)
  const blank = /\n?[^\S\n]*$/.exec(before)?.[0].length ?? 0
  if (after !== undefined) return before.slice(0, start - blank) + text.slice(end + after.length)
  return before.replace(/,?\s*$/, '') + text.slice(end)
}

function holds({ value }: Json5Node, mark: string): boolean {
  return JSON.stringify(value)?.includes(JSON.stringify(mark).slice(1, -1)) ?? false
}
