import { wireText } from '../../tokens/wire-text.ts'

// Inputs nest a few levels; deeper ones are made to do harm.
const deepest = 8
const longestName = 100

// What JSON writes with a letter: in words to search for it would become a part of them.
const escaped = /\\[bfnrtu]/

/**
 * A value as a reader sees it: a text as it is, an object as one `name: value` a line. Texts of
 * several lines stand below their name word for word, wherever in the value they are.
 * @example
 * fieldLines({ path: 'a.ts', edits: [{ old: 'a\nb' }] }) // 'path: a.ts\nedits.0.old:\na\nb'
 */
export function fieldLines(value: unknown): string {
  return typeof value === 'string' ? value : linesOf('', value, 0).join('\n')
}

function linesOf(name: string, value: unknown, depth: number): string[] {
  if (typeof value === 'string') return [`${name}:${value.includes('\n') ? '\n' : ' '}${value}`]
  const json = wireText(value)
  const fields = depth < deepest ? fieldsOf(value) : []
  const short = (depth > 0 || Array.isArray(value)) && !escaped.test(json)
  if (short || fields.length === 0) return [name === '' ? json : `${name}: ${json}`]
  return fields.flatMap(([key, item]) => {
    const own = key.slice(0, longestName)
    return linesOf(name === '' ? own : `${name}.${own}`, item, depth + 1)
  })
}

function fieldsOf(value: unknown): [string, unknown][] {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return []
  return Object.entries(value)
}
