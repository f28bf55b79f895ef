import { headingKey, parseSections, saysNothing, type ParsedSummary } from '../../facts/sections.ts'
import { namesInAnswers, type HeadingNames } from '../../facts/heading-names.ts'
import { unwrapSummary } from './unwrap.ts'
import type { Template } from './template.ts'

/** What somebody wrote who was asked for a summary, taken apart. */
export interface ReadAnswer extends ParsedSummary {
  /** Without its wrapper. */
  text: string
}

/** Takes an answer out of its wrapper and apart, whatever its headings look like. */
export function readAnswer(text: string, template: Template): ReadAnswer {
  const names = namesOf(template)
  const unwrapped = unwrapSummary(text, names)
  return { text: unwrapped, ...parseSections(unwrapped, names) }
}

function namesOf({ sections }: Template): HeadingNames {
  return namesInAnswers(sections.map(({ heading }) => heading))
}

// What stands above the whole of a summary is no section of it.
const titles =
  /summary|summarization|compaction|tóm tắt|摘要|总结|總結|要約|サマリー|요약|резюме|сводка|итог|resumen|zusammenfassung|résumé/i

// Longer than this it is no mere word to whoever asked.
const greeting = 400

/** Where words without a heading belong. */
const home = 'Discoveries'

/**
 * The sections of the template first, in its order, each once; whatever the model added behind
 * them. An answer without any heading is what was found out; a few words before the first one are
 * said to whoever asked, and go.
 */
export function arrangeSections(
  { preamble, sections }: ParsedSummary,
  template: Template,
): { heading: string; body: string }[] {
  const asked = new Set(template.sections.map(({ heading }) => headingKey(heading)))
  const first = sections.findIndex(({ heading }) => asked.has(headingKey(heading)))
  const said = sections.filter(({ heading, body }, at) => {
    return at >= first || !titles.test(heading) || body.length > greeting
  })
  const loose = first === -1 || preamble.length > greeting ? preamble : ''
  const bodies = new Map<string, string[]>()
  const add = (heading: string, body: string): void => {
    const key = headingKey(heading)
    const known = bodies.get(key)
    if (known) known.push(body)
    else bodies.set(key, [body])
  }
  if (loose !== '') add(home, loose)
  for (const { heading, body } of said) add(heading, body)
  const bodyOf = (heading: string): string => {
    const all = bodies.get(headingKey(heading)) ?? []
    const said = all.filter((body) => !isEmpty(body))
    return said.length > 0 ? said.join('\n') : (all.find((body) => body !== '') ?? '')
  }
  const others = new Map(
    said
      .filter(({ heading }) => !asked.has(headingKey(heading)))
      .map(({ heading }) => [headingKey(heading), heading] as const),
  )
  return [...template.sections.map(({ heading }) => heading), ...others.values()]
    .map((heading) => ({ heading, body: bodyOf(heading) }))
    .filter(({ heading, body }) => body !== '' || asked.has(headingKey(heading)))
}

function isEmpty(body: string): boolean {
  return body === '' || saysNothing(body.replace(/^[-*•\s]+/, ''))
}
