import { contained } from './contained-markdown.ts'
import type { Passage } from './passages.ts'

/**
 * A transcript in Markdown. The summary and the assistant wrote Markdown themselves; all else
 * stands in fences that nothing inside of them can close.
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
