/** The five kinds of memory (T12), in order: the headings that no template may drop. */
export const coreHeadings: readonly string[] = [
  'Goal',
  'Instructions',
  'Discoveries',
  'Accomplished',
  'Relevant files',
]

/** Headings are compared without regard to case, level, spaces and marks. */
export function headingKey(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[\s#*:]+/g, ' ')
    .trim()
}

/** A summary divided at its `##` headings. */
export interface ParsedSummary {
  /** The text before the first heading. */
  preamble: string
  sections: { heading: string; body: string }[]
}

/** Divides a summary. Headings inside fenced code are text. */
export function parseSections(text: string): ParsedSummary {
  const parsed: ParsedSummary = { preamble: '', sections: [] }
  let fenced = false
  let lines: string[] = []
  const flush = (): void => {
    const body = lines.join('\n').trim()
    const current = parsed.sections.at(-1)
    if (current) current.body = body
    else parsed.preamble = body
    lines = []
  }
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) fenced = !fenced
    const heading = fenced ? undefined : headingOf(line)
    if (heading === undefined) {
      lines.push(line)
      continue
    }
    flush()
    parsed.sections.push({ heading, body: '' })
  }
  flush()
  return parsed
}

/** The heading on a line: `## Goal`, also `# Goal`, `### Goal`, `**Goal**`, `## Goal:`. */
function headingOf(line: string): string | undefined {
  if (line.length > 120) return undefined
  const match = /^#{1,3}\s+(\S.*)$/.exec(line) ?? /^(\*\*[^*]+\*\*:?\s*)$/.exec(line)
  return match?.[1]?.replace(/^\*+/, '').replace(/[*:\s]+$/, '')
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
