import type { Passage } from './passages.ts'

// This marks the beginning of a passage, so no line inside a passage may begin with it.
const mark = '=== '

/** A transcript in plain text. */
export function asText(passages: readonly Passage[]): string {
  return (
    passages.map((passage) => `${heading(passage)}\n${body(passage)}`.trimEnd()).join('\n\n') + '\n'
  )
}

function heading(passage: Passage): string {
  const { ref } = passage
  return mark + (ref === undefined ? who(passage) : `${who(passage)} [${ref}]`)
}

function who({ kind, tool }: Passage): string {
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

/** A line that looks like one of our headings is indented by one column. */
function body({ text }: Passage): string {
  return text.replace(/^(?====)/gm, ' ')
}
