const fenceLine = /^ {0,3}(`{3,}|~{3,})(.*)$/
const topHeading = /^( {0,3})(#(?:\s|$)|=+\s*$)/

/**
 * Markdown that stays inside its passage: no heading of the first level, with which our
 * passages begin, and no fence that is left open.
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
