import { fencedLines, parseSections } from '../../../facts/sections.ts'
import type { HeadingNames } from '../../../facts/heading-names.ts'

/** So many headings show that an answer has the form that was asked for. */
const enough = 2

/**
 * An answer with its sections under Markdown headings, if it marks them in another way: in elements,
 * as the keys of an object, as the rows of a table, between brackets or lines, as bare names, or
 * indented or quoted as a whole. Names that no template knows are left as they are.
 * @example
 * asMarkdown('<goal>Fix it.</goal>\n<discoveries>It hangs.</discoveries>', coreNames) // '## Goal\nFix it.\n…'
 */
export function asMarkdown(text: string, names: HeadingNames): string {
  const found = headingsIn(text, names)
  if (found >= enough) return withoutElementsAround(text, names)
  for (const form of forms) {
    const turned = form(text, names)
    if (turned !== undefined && headingsIn(turned, names) > Math.max(found, 0)) return turned
  }
  return text
}

type Form = (text: string, names: HeadingNames) => string | undefined

const forms: readonly Form[] = [fromElements, fromObject, fromTable, shifted, fromBareNames]

function headingsIn(text: string, names: HeadingNames): number {
  const known = parseSections(text, names).sections.filter(({ heading }) => names(heading))
  return new Set(known.map(({ heading }) => heading)).size
}

const opens = /^[ \t]{0,8}<([a-z][\w-]{0,40})((?:\s[^<>\n]{0,100})?)>/i
const named = /\b(?:name|title|id|heading)\s{0,2}=\s{0,2}["']([^"'\n]{1,60})["']/i
const headed =
  /^[ \t]{0,8}(?:<details>)?<(h[1-6]|summary|strong|b)>([^<>\n]{1,60})<\/\1>[ \t]*(.*)$/i

/** The name of a section: that of an element, or that in its attribute. */
function sectionOf(tag: string, attributes: string, names: HeadingNames): string | undefined {
  const own = named.exec(attributes)?.[1]
  const words = (own ?? tag).replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[_-]+/g, ' ')
  return headingOf(words, names)
}

/** What the heading is called, or the words themselves where they are a label under it, too. */
function headingOf(words: string, names: HeadingNames): string | undefined {
  const found = names(words)
  return found?.label ?? found?.name
}

/** Where elements end: asked in the order of the lines, each line is looked at once. */
function closingLines(lines: readonly string[]): { next: (tag: string, from: number) => number } {
  const found = new Map<string, number[]>()
  for (const [at, line] of lines.entries()) {
    for (const [, tag = ''] of line.matchAll(/<\/([a-z][\w-]{0,40})>/gi)) {
      const own = found.get(tag.toLowerCase())
      if (own) own.push(at)
      else found.set(tag.toLowerCase(), [at])
    }
  }
  const passed = new Map<string, number>()
  return {
    next: (tag, from) => {
      const own = found.get(tag) ?? []
      let place = passed.get(tag) ?? 0
      while ((own[place] ?? from) < from) place++
      passed.set(tag, place)
      return own[place] ?? -1
    },
  }
}

/** `<goal>…</goal>`, `<section name="Goal">…</section>`, `<h2>Goal</h2>`, `<details>`. */
function fromElements(text: string, names: HeadingNames): string {
  const lines = text.split('\n')
  const fenced = fencedLines(lines)
  const closed = closingLines(lines)
  const turned: string[] = []
  let details = false
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (fenced[at] === true) {
      turned.push(line)
      continue
    }
    const title = headed.exec(line)
    const heading = title ? headingOf(title[2] ?? '', names) : undefined
    if (title && heading !== undefined) {
      details ||= title[1]?.toLowerCase() === 'summary'
      turned.push(`## ${heading}`, title[3] ?? '')
      continue
    }
    const open = opens.exec(line)
    const tag = open?.[1]?.toLowerCase() ?? ''
    const section = open && sectionOf(open[1] ?? '', open[2] ?? '', names)
    const end = section ? closed.next(tag, at) : -1
    const close = `</${tag}>`
    if (!open || end === -1) {
      turned.push(line)
      continue
    }
    const body = [line.slice(open[0].length), ...lines.slice(at + 1, end + 1)]
    if (end === at) body.splice(1)
    const last = body.at(-1) ?? ''
    const stop = last.toLowerCase().lastIndexOf(close)
    const behind = last.slice(stop + close.length)
    body[body.length - 1] = last.slice(0, stop)
    turned.push(`## ${section}`, ...dedented(body), behind)
    at = end
  }
  const isDetails = (line: string): boolean => details && /^\s*<\/?details>\s*$/i.test(line)
  return turned.filter((line) => !isDetails(line)).join('\n')
}

/** Elements that only say once more what the heading inside them says. */
function withoutElementsAround(text: string, names: HeadingNames): string {
  const lines = text.split('\n')
  const fenced = fencedLines(lines)
  const isAround = (line: string, at: number): boolean => {
    const tag = /^[ \t]{0,8}<\/?([a-z][\w-]{0,40})>[ \t]*$/i.exec(line)?.[1]
    return tag !== undefined && fenced[at] !== true && sectionOf(tag, '', names) !== undefined
  }
  return lines.filter((line, at) => !isAround(line, at)).join('\n')
}

/** `{"goal": "…", "discoveries": ["…"]}`, with or without a fence or an object around it. */
function fromObject(text: string, names: HeadingNames): string | undefined {
  const from = text.indexOf('{')
  const to = text.lastIndexOf('}')
  if (from === -1 || to < from) return undefined
  let value: unknown
  try {
    value = JSON.parse(text.slice(from, to + 1))
  } catch {
    return undefined
  }
  for (let depth = 0; depth < 3 && isObject(value); depth++) {
    const sections = Object.entries(value).flatMap(([key, body]) => {
      const name = sectionOf(key, '', names)
      return name === undefined ? [] : [`## ${name}\n${linesOf(body).join('\n')}`]
    })
    if (sections.length > 0) return sections.join('\n\n')
    const inner: unknown[] = Object.values(value)
    if (inner.length !== 1) return undefined
    value = inner[0]
  }
  return undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const deepest = 4

function linesOf(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null || depth > deepest) return [String(value)]
  if (Array.isArray(value)) {
    return value.map((item) => `- ${linesOf(item, depth + 1).join('; ')}`)
  }
  return Object.entries(value).map(
    ([key, item]) => `- ${key}: ${linesOf(item, depth + 1).join('; ')}`,
  )
}

/** `| Goal | Fix it. |`, in rows. */
function fromTable(text: string, names: HeadingNames): string | undefined {
  const lines = text.split('\n')
  return lines
    .map((line) => {
      const row = /^\s{0,3}\|([^|\n]{1,60})\|(.*)\|\s*$/.exec(line)
      const name = row ? headingOf(row[1] ?? '', names) : undefined
      if (!row || name === undefined) return line
      return `\n## ${name}\n${(row[2] ?? '').trim().replace(/<br\s{0,2}\/?>/gi, '\n')}`
    })
    .join('\n')
}

/** All of it one level to the right, or quoted. */
function shifted(text: string): string | undefined {
  const lines = text.split('\n')
  const said = lines.filter((line) => line.trim() !== '')
  if (said.every((line) => line.startsWith('>'))) {
    return lines.map((line) => line.replace(/^> ?/, '')).join('\n')
  }
  // The answer was trimmed: its first line has lost what the others still have.
  const [first = '', ...rest] = lines
  return [first.trimStart(), ...dedented(rest)].join('\n')
}

function dedented(lines: readonly string[]): string[] {
  const depths = lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/))
  const depth = Math.min(...depths)
  return depth > 0 && Number.isFinite(depth) ? lines.map((line) => line.slice(depth)) : [...lines]
}

const marks = /^(?:[[【《]\s{0,2}|={2,10}\s?|-{2,10} |\*{3,10} |~{2,10} )/
const ends = /(?:\s{0,2}[\]】》]|\s?={2,10}| -{2,10}| \*{3,10}| ~{2,10})\s{0,2}[:：]?$/

/** `[Goal]`, `=== Goal ===`, `GOAL`, each alone on its line. */
function fromBareNames(text: string, names: HeadingNames): string | undefined {
  const lines = text.split('\n')
  const fenced = fencedLines(lines)
  const turned = lines.map((line, at) => {
    if (fenced[at] === true || line.length > 60) return line
    const marked = marks.test(line) && ends.test(line)
    const name = names(marked ? line.replace(marks, '').replace(ends, '') : line)
    return name && (marked || name.exact) ? `## ${name.label ?? name.name}` : line
  })
  const found = turned.filter((line, at) => line !== lines[at]).length
  return found >= enough ? turned.join('\n') : undefined
}
