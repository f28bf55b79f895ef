/** Where each section of Claude Code's summaries belongs in ours. */
const places: readonly (readonly [RegExp, string])[] = [
  [/^primary request/i, 'Goal'],
  [/^all user messages/i, 'Instructions'],
  [/^(?:key technical|errors|problem solving)/i, 'Discoveries'],
  [/^(?:pending|current work|optional next|next step)/i, 'Accomplished'],
  [/^files/i, 'Relevant files'],
]

/**
 * A summary in Claude Code's own nine numbered sections, under our headings; any other text as it
 * is. The words stay.
 * @example
 * inOurSections('1. Primary Request and Intent:\n   Fix it.') // '## Goal\nFix it.'
 */
export function inOurSections(summary: string): string {
  const parts = summary.split(/^(?=\d\. [^\n:]{3,40}:)/m)
  const found = new Map<string, string[]>()
  for (const part of parts) {
    const [, title = '', body = ''] = /^\d\. ([^\n:]{3,40}):\s*([^]*)$/.exec(part) ?? []
    const [, heading] = places.find(([known]) => known.test(title)) ?? []
    if (heading === undefined) {
      if (part.trim() !== '') return summary
      continue
    }
    const text = body.trimEnd().replace(/^ {3}/gm, '')
    if (text !== '') found.set(heading, [...(found.get(heading) ?? []), `${title}: ${text}`])
  }
  if (found.size === 0) return summary
  const order = ['Goal', 'Instructions', 'Discoveries', 'Accomplished', 'Relevant files']
  return order
    .flatMap((heading) => {
      const texts = found.get(heading)
      if (!texts) return []
      const body = heading === 'Goal' ? texts.map(withoutTitle) : texts
      return [`## ${heading}\n${body.join('\n')}`]
    })
    .join('\n\n')
}

function withoutTitle(text: string): string {
  return text.replace(/^[^:]*: /, '')
}
