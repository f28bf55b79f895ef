import { headingKey } from './heading-key.ts'
import { coreNames, type HeadingNames } from './heading-names.ts'

/** A summary taken apart at its headings. */
export interface ParsedSummary {
  /** The text before the first heading. */
  preamble: string
  sections: { heading: string; body: string }[]
}

/**
 * Takes a summary apart. The level at which most of the known headings stand is that of its
 * sections: what stands deeper belongs to the section that it stands in. Headings inside fenced
 * code are text. A known heading gets the name that it has in the template.
 * @example
 * parseSections('## 1. Goal\nFix it.').sections // [{ heading: 'Goal', body: 'Fix it.' }]
 */
export function parseSections(text: string, names: HeadingNames = coreNames): ParsedSummary {
  const lines = text.split('\n')
  const fenced = fencedLines(lines)
  const found = lines.map((_, at) =>
    fenced[at] === true ? undefined : headingAt(lines, at, names),
  )
  const deepest = levelOfSections(found)
  const above = new Set(
    found.flatMap((each) => (each?.known && each.level <= deepest ? [headingKey(each.name)] : [])),
  )
  const parsed: ParsedSummary = { preamble: '', sections: [] }
  let body: string[] = []
  const flush = (): void => {
    const said = body.join('\n').trim()
    const current = parsed.sections.at(-1)
    if (current) current.body = said
    else parsed.preamble = said
    body = []
  }
  for (let at = 0; at < lines.length; at++) {
    const heading = found[at]
    const starts =
      heading !== undefined &&
      ((heading.level <= deepest && !(isLabel(heading) && above.size > 0)) ||
        (heading.known === 'exact' && !above.has(headingKey(heading.name))))
    if (!starts) {
      body.push(lines[at] ?? '')
      continue
    }
    flush()
    parsed.sections.push({ heading: heading.name, body: '' })
    if (heading.label !== undefined) body.push(`${heading.label}:`)
    if (heading.rest !== '') body.push(heading.rest)
    if (heading.underlined) at += 1
  }
  flush()
  return parsed
}

/** Whether a line of some text is a heading that its template knows, fenced or not. */
export function isKnownHeading(
  lines: readonly string[],
  at: number,
  names: HeadingNames = coreNames,
): boolean {
  return headingAt(lines, at, names)?.known !== undefined
}

/** A bold line under a heading that the template knows is a label in its section. */
function isLabel({ level, known }: Heading): boolean {
  return level === bold && known === undefined
}

interface Heading {
  name: string
  /** 1 to 6 as in Markdown, then lines that are bold, then lines that are a bare name. */
  level: number
  known: 'exact' | 'by other words' | undefined
  /** What it says by itself, where it is a part of what the template asks for. */
  label: string | undefined
  /** The rest of its line. */
  rest: string
  /** The line after it belongs to it. */
  underlined: boolean
}

const bold = 7
const bare = 8
const longest = 120

/** Of headings that no template knows, only those of the first three levels and bold lines are any. */
const shallow = 3

function headingAt(lines: readonly string[], at: number, names: HeadingNames): Heading | undefined {
  const line = (lines[at] ?? '').trimEnd()
  if (line === '') return undefined
  const start = line.slice(0, longest)
  const make = (written: string, level: number, rest = '', underlined = false): Heading => {
    const name = written.replace(/^[*_]+/, '').replace(/[*_:：\s]+$/, '')
    const known = names(name)
    return {
      name: known?.name ?? name,
      level,
      known: known && (known.exact ? 'exact' : 'by other words'),
      label: known?.label,
      rest,
      underlined,
    }
  }
  if (line.length <= longest) {
    const atx = /^(#{1,6})\s+(\S.*)$/.exec(line)
    if (atx) {
      const heading = make((atx[2] ?? '').replace(/\s#+$/, ''), (atx[1] ?? '').length)
      return heading.known || heading.level <= shallow ? heading : undefined
    }
    const below = (lines[at + 1] ?? '').trimEnd()
    if (/^(?:={3,}|-{3,})$/.test(below) && /^[^\s>|-]/.test(line)) {
      const heading = make(line, below.startsWith('=') ? 1 : 2, '', true)
      if (heading.known) return heading
    }
    if (/^\*\*[^*]+\*\*:?$/.test(line) || /^__[^_]+__:?$/.test(line)) return make(line, bold)
  }
  const inline =
    /^(?:[-*+] |\d{1,2}[.)] )?(?:\*\*([^*]{1,60})\*\*|__([^_]{1,60})__)\s{0,4}[:：—–]?\s{0,4}/.exec(
      start,
    )
  if (inline) {
    const heading = make(inline[1] ?? inline[2] ?? '', bold, line.slice(inline[0].length))
    if (heading.known) return heading
  }
  // A bare name, with a colon or a number before it.
  if (line.length <= 60 && (/[:：]$/.test(line) || /^\d{1,2}[.)] /.test(line))) {
    const heading = make(line, bare)
    if (heading.known) return heading
  }
  return undefined
}

/** Where most of the known headings stand, the deeper of two; all that there are where none is known. */
function levelOfSections(found: readonly (Heading | undefined)[]): number {
  const names = new Map<number, Set<string>>()
  for (const heading of found) {
    if (!heading?.known) continue
    const at = names.get(heading.level)
    if (at) at.add(heading.name)
    else names.set(heading.level, new Set([heading.name]))
  }
  let deepest = bare
  let most = 0
  for (const [level, { size }] of [...names].sort(([a], [b]) => a - b)) {
    if (size < most) continue
    most = size
    deepest = level
  }
  return deepest
}

/** Which lines are in fenced code. A fence that is never closed is none. */
export function fencedLines(lines: readonly string[]): boolean[] {
  return fencesIn(lines).fenced
}

/** The mark of the fence that a text leaves open: it would include the headings after it. */
export function openFence(text: string): string | undefined {
  return fencesIn(text.split('\n')).open
}

function fencesIn(lines: readonly string[]): { fenced: boolean[]; open: string | undefined } {
  const fenced = lines.map(() => false)
  let open: { at: number; mark: string } | undefined
  for (const [at, line] of lines.entries()) {
    const mark = /^(?:`{3,}|~{3,})/.exec(line)?.[0]
    if (mark === undefined) continue
    if (!open) open = { at, mark }
    else if (line.trimEnd() === mark && mark.startsWith(open.mark)) {
      fenced.fill(true, open.at, at + 1)
      open = undefined
    } else if (mark === open.mark) {
      // Another one begins: the one before was never closed.
      open = { at, mark }
    }
  }
  return { fenced, open: open?.mark }
}

export function sectionBody(parsed: ParsedSummary, heading: string): string | undefined {
  const key = headingKey(heading)
  return parsed.sections.find((section) => headingKey(section.heading) === key)?.body
}

const none = /^\(?(?:none|nothing recorded|n\/a)\.?\)?$/i

/** Whether a section only says that it is empty. */
export function saysNothing(body: string): boolean {
  return none.test(body)
}

export function formatSections(parsed: ParsedSummary): string {
  const sections = parsed.sections.map(({ heading, body }) => `## ${heading}\n${body}`.trimEnd())
  return [parsed.preamble, ...sections].filter((text) => text !== '').join('\n\n')
}
