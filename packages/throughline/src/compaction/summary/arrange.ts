import { headingKey, parseSections, saysNothing, isKnownHeading } from '../../facts/sections.ts'
import { namesInAnswers } from '../../facts/heading-names.ts'
import type { ParsedSummary } from '../../facts/sections.ts'
import type { HeadingNames } from '../../facts/heading-names.ts'
import type { Template } from './template.ts'

const thought = 'think|thinking|thought|thoughts|analysis|reasoning|scratchpad|reflection'
const frame =
  'summary|prior-conversation-summary|conversation[-_]summary|context[-_]summary|compaction[-_]summary|answer|output|result|response|final'

const opensThought = new RegExp(`^[ \\t]{0,8}<(${thought})(?:\\s[^<>]{0,100})?>`, 'im')
const closesThought = new RegExp(`^[^\`\\n]{0,400}</(?:${thought})>[ \\t]*$`, 'gim')
const opensFrame = new RegExp(`^[ \\t]{0,8}<(${frame})(?:\\s[^<>]{0,100})?>`, 'im')

// Each kind of wrapper inside each other, and some more.
const mostLayers = 6

/**
 * A model's summary without what it was delivered in: thinking, tags around it, a fence around all
 * of it, words to whoever asked. What stands inside is as the model wrote it.
 * @example
 * unwrapSummary('<think>hm</think>\n```markdown\n## Goal\nFix it.\n```', coreNames) // '## Goal\nFix it.'
 */
function unwrapSummary(text: string, names: HeadingNames): string {
  let inside = text.replace(/\r\n?/g, '\n').trim()
  for (let layer = 0; layer < mostLayers; layer++) {
    const before = inside
    inside = withoutFence(withoutFrame(withoutThoughts(inside, names), names), names).trim()
    if (inside === before) break
  }
  return withoutFarewell(inside)
}

/** What a model thought stands in elements of its own; one that never ends goes on to the first heading. */
function withoutThoughts(text: string, names: HeadingNames): string {
  let rest = text
  let kept = ''
  for (let found = opensThought.exec(rest); found; found = opensThought.exec(rest)) {
    const end = closingAt(rest, found[1] ?? '', found.index)
    if (end === undefined) {
      // Behind a heading it is a word of the summary.
      if (kept !== '' || firstHeading(rest.slice(0, found.index), names) !== undefined) break
      return kept + rest.slice(firstHeading(rest, names) ?? rest.length)
    }
    kept += rest.slice(0, found.index)
    rest = rest.slice(end)
  }
  const all = kept + rest
  // Some providers cut the opening tag away.
  const last = [...all.matchAll(closesThought)].at(-1)
  if (last === undefined) return all
  const behind = all.slice(last.index + last[0].length)
  const before = firstHeading(all.slice(0, last.index), names) !== undefined
  const after = firstHeading(behind, names) !== undefined
  const alone = last[0].trimStart().startsWith('<')
  return behind.trim() === '' || (before && !(alone && after)) ? all : behind
}

function closingAt(text: string, tag: string, from: number): number | undefined {
  const at = text.toLowerCase().indexOf(`</${tag.toLowerCase()}>`, from)
  return at === -1 ? undefined : at + tag.length + 3
}

/** What stands in an element for the summary is the summary; what stands around it is not. */
function withoutFrame(text: string, names: HeadingNames): string {
  const found = opensFrame.exec(text)
  if (!found) return text
  const heading = firstHeading(text, names)
  if (heading !== undefined && heading < found.index) return text
  const tag = found[1] ?? ''
  const start = found.index + found[0].length
  const end = text.toLowerCase().lastIndexOf(`</${tag.toLowerCase()}>`)
  return text.slice(start, end < start ? undefined : end)
}

/** A fence around the whole answer, with or without a word before and behind it. */
function withoutFence(text: string, names: HeadingNames): string {
  const lines = text.split('\n')
  const open = lines.findIndex((line) =>
    /^\s{0,8}(?:`{3,}|~{3,})\s{0,4}(?:markdown|md|text|txt|plaintext|xml)?\s*$/i.test(line),
  )
  if (open === -1) return text
  const heading = lines.findIndex((_, at) => isKnownHeading(lines, at, names))
  if (heading !== -1 ? heading < open : open > 0) return text
  const mark = lines[open]?.trim().slice(0, 3) ?? ''
  const close = lines.findLastIndex(
    (line, at) => at > open && line.trim().startsWith(mark) && /^\s*(?:`+|~+)\s*$/.test(line),
  )
  const inside = lines.slice(open + 1, close === -1 ? undefined : close)
  const behind = close === -1 ? [] : lines.slice(close + 1)
  const more = behind.some((_, at) => isKnownHeading(behind, at, names))
  return [...inside, ...(more ? behind : [])].join('\n')
}

/** Where the first known heading begins. */
function firstHeading(text: string, names: HeadingNames): number | undefined {
  const lines = text.split('\n')
  let start = 0
  for (const [at, line] of lines.entries()) {
    if (isKnownHeading(lines, at, names)) return start
    start += line.length + 1
  }
  return undefined
}

const farewell =
  /^(?:\*|_)?(?:let me know if|i hope this|hope this helps|please let me know|feel free to|if you (?:need|would like|want)|is there anything|this summary (?:captures|covers|should|preserves|contains|provides))/i

/** "Let me know if you need more": words to whoever asked, behind the last section. */
function withoutFarewell(text: string): string {
  const at = text.lastIndexOf('\n\n')
  const last = text.slice(at + 2)
  const rest = at !== -1 && last.length < 300 && farewell.test(last) ? text.slice(0, at) : text
  return rest.replace(/\n+(?:-{3,}|\*{3,}|_{3,})\s*$/, '').trim()
}

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
