import { messagesLabel, modelsLabel } from '../../../facts/labels.ts'

/** What several generations of summaries carried over, one section for each kind of line. */
export interface CarriedGenerations {
  /** Quoted as the human's by summaries that nobody vouches for. */
  rules: string
  rest: string
}

const headings: ReadonlySet<string> = new Set([
  'Goal:',
  modelsLabel,
  'Discoveries:',
  'Accomplished:',
  'Relevant files:',
])
const latest = /^The latest request(?: \[[^\]\n]{1,40}\])?,? .{0,30}below:$/
const frames = /^\((?:nothing recorded\)$|Rules are listed oldest first)/

/**
 * The carried texts of several generations, the newest first, as one: under headings of their own
 * they would fill more room with each generation, and what stands in the middle would go.
 */
export function mergedGenerations(text: string): CarriedGenerations {
  const sections = new Map<string, string[][]>()
  const before: string[] = []
  let lines = before
  for (const line of text.split('\n')) {
    if (headings.has(line)) {
      lines = []
      const all = sections.get(line)
      if (all) all.push(lines)
      else sections.set(line, [lines])
    } else if (!frames.test(line)) lines.push(line)
  }
  const bodies = [...sections].map(([heading, generations]) => {
    const said = heading === 'Goal:' ? generations.map(goalOf) : generations
    return { heading, lines: [...new Set(said.toReversed().flat())] }
  })
  const rules = bodies.find(({ heading }) => heading === modelsLabel)?.lines ?? []
  const rest = bodies
    .filter(({ heading, lines }) => heading !== modelsLabel && lines.some((line) => line !== ''))
    .flatMap(({ heading, lines }) => [heading, ...lines])
  return { rules: rules.join('\n').trim(), rest: [...before, ...rest].join('\n').trim() }
}

/** The latest request of an older generation is one of those that were said before. */
function goalOf(lines: string[], generation: number): string[] {
  if (generation === 0) return lines
  return lines
    .filter((line) => !latest.test(line) && line !== messagesLabel)
    .map((line) => line.replace(/^> /, '- '))
}
