import type { Passage } from './passages.ts'

/**
 * A transcript in Markdown. Summaries and assistant messages are Markdown themselves; everything
 * else is in fences that nothing inside can close.
 */
export function asMarkdown(passages: readonly Passage[]): string {
  return (
    passages.map((passage) => `${heading(passage)}\n\n${body(passage)}`.trimEnd()).join('\n\n') +
    '\n'
  )
}

function heading({ kind, tool }: Passage): string {
  const name = `\`${(tool ?? '').replaceAll('`', "'")}\``
  switch (kind) {
    case 'call':
      return `# Assistant calls ${name}`
    case 'result':
      return `# ${name} answers`
    case 'failure':
      return `# ${name} fails`
    case 'thinking':
      return '# Assistant thinks'
    default:
      return `# ${kind.charAt(0).toUpperCase()}${kind.slice(1)}`
  }
}

function body({ kind, text }: Passage): string {
  const isMarkdown = kind === 'summary' || kind === 'assistant' || kind === 'thinking'
  return isMarkdown ? contained(text) : fenced(text)
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
