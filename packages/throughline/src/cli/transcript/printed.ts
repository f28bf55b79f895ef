import type { Passage } from './passages.ts'

/** A transcript in plain text. No line inside a passage looks like a heading. */
export function asText(passages: readonly Passage[]): string {
  return printed(passages, (passage) => {
    const ref = passage.ref === undefined ? '' : ` [${passage.ref}]`
    // A line that looks like one of our headings is indented by one column.
    return `=== ${headingOf(passage)}${ref}\n${passage.text.replace(/^(?====)/gm, ' ')}`
  })
}

/**
 * A transcript in Markdown. Summaries and assistant messages are Markdown themselves; everything
 * else is in fences that nothing inside can close.
 */
export function asMarkdown(passages: readonly Passage[]): string {
  return printed(passages, (passage) => {
    const { kind, tool, text } = passage
    const heading = headingOf({ kind, tool: `\`${(tool ?? '').replaceAll('`', "'")}\`` })
    const isMarkdown = kind === 'summary' || kind === 'assistant' || kind === 'thinking'
    const body = isMarkdown ? contained(text) : fenced(text)
    return `# ${heading.charAt(0).toUpperCase()}${heading.slice(1)}\n\n${body}`
  })
}

function printed(passages: readonly Passage[], print: (passage: Passage) => string): string {
  return `${passages.map((passage) => print(passage).trimEnd()).join('\n\n')}\n`
}

/** Who says it, or which tool is called, answers or fails. */
function headingOf({ kind, tool }: Pick<Passage, 'kind' | 'tool'>): string {
  switch (kind) {
    case 'call':
      return `assistant calls ${tool}`
    case 'result':
      return `${tool} answers`
    case 'failure':
      return `${tool} fails`
    case 'thinking':
      return 'assistant thinks'
    default:
      return kind
  }
}

function fenced(text: string): string {
  if (text === '') return ''
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2)
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${text}\n${fence}`
}

const fenceLine = /^ {0,3}(`{3,}|~{3,})(.*)$/
const topHeading = /^( {0,3})(#(?:\s|$)|=+\s*$)/

/**
 * Markdown that can't break out of its passage: it has no first-level headings, with which our
 * passages begin, and no unclosed fence.
 */
export function contained(markdown: string): string {
  let open: string | undefined
  const lines = markdown.split('\n').map((line) => {
    const [, fence = '', after = ''] = fenceLine.exec(line) ?? []
    if (fence === '') return open === undefined ? line.replace(topHeading, '$1\\$2') : line
    if (open === undefined) open = fence
    else if (fence[0] === open[0] && fence.length >= open.length && after.trim() === '') {
      open = undefined
    }
    return line
  })
  return (open === undefined ? lines : [...lines, open]).join('\n')
}
