import { headingKey } from '../../facts/heading-key.ts'
import { parseSections, saysNothing } from '../../facts/sections.ts'
import { namesInAnswers, type HeadingNames } from '../../facts/heading-names.ts'
import { discoveries } from '../../facts/summary/sections/discoveries.ts'
import type { ParsedSummary } from '../../facts/sections.ts'
import { unwrapSummary, withoutLoops } from './answer-form/unwrap.ts'
import type { Template } from './template.ts'

/** The answer to a request for a summary, taken apart. */
export interface ReadAnswer extends ParsedSummary {
  /** Without its wrapper. */
  text: string
}

/** Takes an answer out of its wrapper and apart, whatever its headings look like. */
export function readAnswer(text: string, template: Template): ReadAnswer {
  const names = namesOf(template)
  const unwrapped = unwrapSummary(text, names)
  const { preamble, sections } = parseSections(unwrapped, names)
  const filled = sections.map(({ heading, body }) => {
    if (isPlaceholder(body)) return { heading, body: '' }
    return { heading, body: withoutLoops(withoutGuide(body, heading, template)) }
  })
  return { text: unwrapped, preamble, sections: filled }
}

const placeholder =
  /^(?:\[[^[\]]{0,300}\]|\{[^{}]{0,300}\}|<[^<>]{0,300}>|\.{2,3}|…|tbd|todo|no information(?: (?:is )?available)?|not (?:available|specified|applicable))\.?$/i

/** The content of a section in which nothing has been written yet. */
function isPlaceholder(body: string): boolean {
  return placeholder.test(body.replace(/^[-*•\s]+/, '').trim())
}

/** Without the words that told the model what to write there. */
function withoutGuide(body: string, heading: string, { sections }: Template): string {
  const key = headingKey(heading)
  const guide = sections.find((section) => headingKey(section.heading) === key)?.guide ?? ''
  const bare = body.replace(/^[[({<*_]+/, '')
  if (guide === '' || !bare.startsWith(guide)) return body
  return bare.slice(guide.length).replace(/^[\])}>*_:\s]+/, '')
}

function namesOf({ sections }: Template): HeadingNames {
  return namesInAnswers(sections.map(({ heading }) => heading))
}

// A heading above the whole summary is no section of it.
const titles =
  /summary|summarization|compaction|tóm tắt|摘要|总结|總結|要約|サマリー|요약|резюме|сводка|итог|resumen|zusammenfassung|résumé/i

// A longer text is no mere word to the caller.
export const greeting = 400

/** Where words without a heading belong. */
const home = discoveries.heading

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
    // Some answer twice in a row.
    const all = [...new Set((bodies.get(headingKey(heading)) ?? []).map(withoutRule))]
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

/** Without a line that only divides it from what follows. */
function withoutRule(body: string): string {
  return body.replace(/\n\s*(?:-{3,}|\*{3,}|_{3,})\s*$/, '').trimEnd()
}

function isEmpty(body: string): boolean {
  return body === '' || saysNothing(body.replace(/^[-*•\s]+/, ''))
}
