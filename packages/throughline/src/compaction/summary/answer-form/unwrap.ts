import { isKnownHeading, fencedLines } from '../../../facts/sections.ts'
import { asMarkdown } from './as-markdown.ts'
import type { HeadingNames } from '../../../facts/heading-names.ts'

const thought = 'think|thinking|thought|thoughts|analysis|reasoning|scratchpad|reflection'
const frame =
  'summary|prior-conversation-summary|conversation[-_]summary|context[-_]summary|compaction[-_]summary|answer|output|result|response|final'

const opensThought = new RegExp(`^[ \\t]{0,8}<(${thought})(?:\\s[^<>]{0,100})?>`, 'im')
const closesThought = new RegExp(`^[^\`\\n]{0,400}</(?:${thought})>[ \\t]*$`, 'gim')
const opensFrame = new RegExp(`^[ \\t]{0,8}<(${frame})(?:\\s[^<>]{0,100})?>`, 'im')

// Each kind of wrapper inside each other, and some more.
const mostLayers = 6

// How calls look in the text of models whose provider did not read them out of it.
const opensCall =
  /^[ \t]{0,8}(?:<(?:\w{1,12}:)?(function_calls?|tool_calls?|tool_use|tool_code|invoke)\b[^<>\n]{0,200}>|<[|｜]tool[▁_ ]calls?[^<>\n]{0,40}>|\[TOOL_CALLS?\]|<\|python_tag\|>)/i

/**
 * A model's summary without what it was delivered in: thinking, tags around it, a fence around all
 * of it, words to whoever asked. What stands inside is as the model wrote it.
 * @example
 * unwrapSummary('<think>hm</think>\n```markdown\n## Goal\nFix it.\n```', coreNames) // '## Goal\nFix it.'
 */
export function unwrapSummary(text: string, names: HeadingNames): string {
  let inside = text.replace(/\r\n?/g, '\n').trim()
  for (let layer = 0; layer < mostLayers; layer++) {
    const before = inside
    const said = asMarkdown(withoutThoughts(inside, names), names)
    inside = withoutFence(withoutOuter(withoutFrame(said, names)), names).trim()
    if (inside === before) break
  }
  return withoutFarewell(withoutCalls(inside, names))
}

/** A model puts its thinking into elements; one that is never closed ends at the first heading. */
function withoutThoughts(text: string, names: HeadingNames): string {
  let rest = text
  let kept = ''
  for (let found = opensThought.exec(rest); found; found = opensThought.exec(rest)) {
    const end = closingAt(rest, found[1] ?? '', found.index)
    if (end === undefined) {
      // After a heading it is a word of the summary.
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

/**
 * Without calls in the form of text, which somebody added who thought of going on: one that is not
 * closed takes what stands behind it, up to a heading. What is a call alone says nothing.
 */
function withoutCalls(text: string, names: HeadingNames): string {
  if (isCall(text)) return ''
  const lines = text.split('\n')
  const fenced = fencedLines(lines)
  const kept: string[] = []
  let closing: RegExp | undefined
  let open = false
  for (const [at, line] of lines.entries()) {
    // In code it is a word of the summary.
    const call = open || fenced[at] === true ? null : opensCall.exec(line)
    if (call) {
      open = true
      closing = call[1] === undefined ? undefined : new RegExp(`</(?:\\w{1,12}:)?${call[1]}>`, 'i')
    } else if (open && isKnownHeading(lines, at, names)) open = false
    if (!open) kept.push(line)
    else if (closing?.test(line) === true) open = false
  }
  return kept.join('\n').trim()
}

/** `{"name": "read", "arguments": {…}}`, with or without a fence around it. */
function isCall(text: string): boolean {
  const bare = text.replace(/^`{3,}\w{0,10}\n/, '').replace(/\n`{3,}$/, '')
  if (!/^[[{]/.test(bare)) return false
  try {
    const [call] = [JSON.parse(bare)].flat()
    return (
      typeof call?.name === 'string' &&
      ['arguments', 'parameters', 'input'].some((key) => key in call)
    )
  } catch {
    return false
  }
}

// A line repeated so often is no list of equal things: the model was caught in a loop.
const mostRepeats = 4
const leastRepeated = 12

/** A section without the lines that models write again and again when they are caught in a loop. */
export function withoutLoops(text: string): string {
  const lines = text.split('\n')
  const times = Map.groupBy(lines, (line) => line.trim())
  const told = new Set<string>()
  return lines
    .filter((line) => {
      const said = line.trim()
      const isLoop = said.length >= leastRepeated && (times.get(said)?.length ?? 0) > mostRepeats
      if (isLoop && told.has(said)) return false
      told.add(said)
      return true
    })
    .join('\n')
}

/** The content of an element for the summary is the summary; the text around it is not. */
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

const around = /^<([a-z][\w-]{0,40})(?:\s[^<>\n]{0,100})?>/i

/** An element around all of it, whatever its name. */
function withoutOuter(text: string): string {
  const open = around.exec(text)
  const close = `</${open?.[1] ?? ''}>`
  return open && text.endsWith(close) ? text.slice(open[0].length, -close.length) : text
}

/** A fence around the whole answer, with or without a word before and after it. */
function withoutFence(text: string, names: HeadingNames): string {
  const lines = text.split('\n')
  const open = lines.findIndex((line) =>
    /^\s{0,8}(?:`{3,}|~{3,})\s{0,4}(?:markdown|md|text|txt|plaintext|xml|html|json)?\s*$/i.test(
      line,
    ),
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
  /^(?:\*|_)?(?:let me know if|i hope this|hope this helps|please let me know|feel free to|if you (?:need|would like|want)|is there anything|(?:would|do|shall|should) (?:you|i|we)\b.{0,200}\?|want me to\b.{0,200}\?|this summary (?:captures|covers|should|preserves|contains|provides))/i

/** "Let me know if you need more": words to the caller after the last section. */
function withoutFarewell(text: string): string {
  const at = text.lastIndexOf('\n\n')
  const last = text.slice(at + 2)
  const rest = at !== -1 && last.length < 300 && farewell.test(last) ? text.slice(0, at) : text
  return rest.replace(/\n+(?:-{3,}|\*{3,}|_{3,})\s*$/, '').trim()
}
