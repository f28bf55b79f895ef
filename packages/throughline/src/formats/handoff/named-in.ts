/**
 * The words of a text that stand there as names of tools: in backticks, before their arguments,
 * as the tool of a placeholder, or with an underscore. `read` and `Edit` are other words, too.
 */
export function* namedIn(text: string): Generator<string> {
  for (const { 0: word, index } of text.matchAll(/[A-Za-z][\w-]*/g)) {
    const before = text.slice(Math.max(0, index - placeholderMark.length), index)
    const after = text[index + word.length] ?? ''
    if (before.endsWith('`') && after === '`') yield word
    else if (after === '{' || after === '(' || word.includes('_')) yield word
    else if (before === placeholderMark) yield word
  }
}

const placeholderMark = 'tool="'
