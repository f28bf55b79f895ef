/** The mark of the fence that a line opens or closes, or ''. What ends in the same line is no fence. */
export function fenceOf(line: string): string {
  return /^\s{0,8}(?:(```+)[^`]*|(~~~+).*)$/.exec(line)?.slice(1).join('') ?? ''
}

/**
 * The mark of a fence behind other words of a line, or '': “Here is the log: ```”, and “last line```”
 * at its end.
 */
function fenceBehind(line: string): string {
  const mark = /[^`](```+)[\w+-]{0,20}\s*$/.exec(line.slice(-longestEnd))?.[1] ?? ''
  return mark !== '' && line.split(/```+/).length % 2 === 0 ? mark : ''
}

const longestEnd = 80

/** The mark of the fence that is open behind a line, or ''. */
export function fenceAfter(line: string, before: string): string {
  const mark = fenceOf(line)
  if (before === '') return mark === '' ? fenceBehind(line) : mark
  return mark.startsWith(before) || fenceBehind(line).startsWith(before) ? '' : before
}

/** The mark of the fence that a text leaves open, or ''. */
export function openFence(text: string, before: string): string {
  return text.split('\n').reduce((fence, line) => fenceAfter(line, fence), before)
}
