import { carriedLabel, modelsLabel, messagesLabel, rulesHeading } from '../../../facts/labels.ts'
import { clipMiddle, quote } from '../../../facts/summary/clip-words.ts'
import { withoutHumanWords, withoutRepeats } from '../models-words.ts'
import { isLocalSummary } from '../../../facts/summary/local-summary.ts'
import { coreHeadings, coreSections } from '../../../facts/summary/sections/core-sections.ts'
import { parseSections, saysNothing, sectionBody } from '../../../facts/sections.ts'
import type { Facts } from '../../../facts/summary/known-facts.ts'
import type { Room } from '../../../facts/summary/room.ts'

/** The sections that only an earlier summary knows: all of them where the log itself is gone. */
function headingsToCarry({ inherited }: Pick<Facts, 'inherited'>): readonly string[] {
  return coreSections
    .filter(({ givesReasons }) => inherited !== undefined || givesReasons)
    .map(({ heading }) => heading)
}

/**
 * The parts of an earlier summary that the facts can't know. From a local summary: only what it had
 * itself carried over, unless nobody vouches for it. From a model's: what it found and why, or all of it where its log is gone. From a foreign text: all that
 * there is room for.
 */
export function earlierSummary(
  previous: string | undefined,
  { room, tokens, facts }: { room: Room; tokens: number; facts: Facts },
): readonly string[] {
  const carried = carriedText(previous ?? '', facts)
  const text = isSpokenPast(previous ?? '', facts) ? withoutNext(carried) : carried
  if (text === '' || tokens <= room.cost(carriedLabel)) return []
  const left = tokens - room.cost(carriedLabel)
  const characters = Math.floor(room.characters(text, left) * 0.95)
  const clipped =
    facts.unvouched === undefined ? clipMiddle(text, characters) : ofGenerations(text, characters)
  return room.take([carriedLabel, ...quote(clipped)])
}

// Rules come first, and leave the rest some room.
const shareOfRules = 0.7

/** What stands as the human's in summaries that nobody vouches for, and then what else they say. */
function ofGenerations(text: string, characters: number): string {
  const { rules, rest } = mergedGenerations(text)
  if (rules === '') return clipMiddle(rest, characters)
  const said = clipMiddle(`${modelsLabel}\n${rules}`, Math.floor(characters * shareOfRules))
  return `${said}\n${clipMiddle(rest, characters - said.length)}`.trim()
}

function carriedText(previous: string, facts: Facts): string {
  const parsed = parseSections(previous)
  const discoveries = sectionBody(parsed, 'Discoveries')
  if (discoveries === undefined) return withoutHumanWords(withoutFrame(previous), facts)
  const { rest, block } = carriedIn(discoveries)
  if (facts.unvouched === undefined) {
    if (block !== undefined) return block
    if (isLocalSummary(previous)) return ''
  }
  const said = headingsToCarry(facts)
    .map((heading) => {
      const own = heading === 'Discoveries' ? rest : (sectionBody(parsed, heading) ?? '')
      const body = withoutRepeats(own, heading, facts)
      return { heading: heading === rulesHeading ? modelsLabel : `${heading}:`, body }
    })
    .filter(({ body }) => body !== '' && !saysNothing(body))
    .map(({ heading, body }) => `${heading}\n${body}`)
  return [...said, ...(block === undefined ? [] : [block])].join('\n')
}

/** What a summary had carried over itself, and the rest of its section. */
function carriedIn(body: string): { rest: string; block?: string } {
  const lines = body.split('\n')
  const start = lines.indexOf(carriedLabel)
  if (start < 0) return { rest: body }
  const behind = lines.slice(start + 1)
  const end = behind.findIndex((line) => !line.startsWith('> '))
  const block = end < 0 ? behind : behind.slice(0, end)
  const others = end < 0 ? [] : behind.slice(end)
  return {
    rest: [...lines.slice(0, start), ...others].join('\n').trim(),
    block: block.map((line) => line.slice(2)).join('\n'),
  }
}

/**
 * Text that a harness put around its summary: an analysis for itself before it, orders to the agent
 * after it, or a sentence in place of one that can't be read. None of it belongs to the summary,
 * and orders must come from the human.
 */
function withoutFrame(text: string): string {
  const lines = text.split('\n')
  const start = lines.findIndex((line) => line.length < 40 && isSummaryLabel(line.trim()))
  const own = lines.slice(start + 1).filter((line) => !frame.test(line.slice(0, 80)))
  return own.join('\n').trim()
}

const frame =
  /^\s{0,8}(?:If you need specific details from before compaction|Please continue the conversation from where we left|Continue with the last task that you were asked|Codex compacted the session here\.|<\/?summary>)/

/** How much of a request tells it from others. */
const beginning = 60

/** Whether the human has said more since the newest of their messages that a summary quotes. */
function isSpokenPast(previous: string, { requests }: Facts): boolean {
  const quoted = requests.findLastIndex(({ text }) => {
    const [line = ''] = text.trim().split('\n', 1)
    return line.length >= shortestQuoted && previous.includes(line.slice(0, beginning))
  })
  return quoted >= 0 && quoted < requests.length - 1
}

/** A shorter line occurs in many texts. */
const shortestQuoted = 12

const HEADING =
  /^(?:(#{1,6}) |(\d{1,2})\. (?=[A-Z][^.!?]{2,60}:?\s{0,3}$)|\*\*(?=[^*]{2,60}\*\*:?\s{0,3}$))/
const NEXT =
  /^(?:#{1,6} |\d{1,2}\. |\*\*)(?:(?:optional|immediate|possible|recommended) )?(?:next steps?|pending tasks?|current (?:work|task)|still to (?:do|verify)|remaining (?:work|tasks)|to do|todo)\b/i

/** Without what was to be done next when a summary was written: work has gone on since. */
function withoutNext(text: string): string {
  let skipped: string | undefined
  return text
    .split('\n')
    .filter((line) => {
      const [head] = HEADING.exec(line) ?? []
      const kind = head?.replace(/\d+/, '1')
      // A section ends where one of its kind begins, or one above it.
      const ends =
        kind !== undefined &&
        (kind === skipped || (kind.startsWith('#') && kind.length < (skipped ?? '').length))
      if (skipped !== undefined && !ends) return false
      skipped = NEXT.test(line) ? kind : undefined
      return skipped === undefined
    })
    .join('\n')
    .trim()
}

function isSummaryLabel(line: string): boolean {
  return /^(?:<summary>|\**summary:?\**:?)$/i.test(line)
}

/** What several generations of summaries carried over, one section for each kind of line. */
interface CarriedGenerations {
  /** Quoted as the human's by summaries that nobody vouches for. */
  rules: string
  rest: string
}

const headings: ReadonlySet<string> = new Set([
  modelsLabel,
  ...coreHeadings.map((heading) => `${heading}:`),
])
const latest = /^The latest request(?: \[[^\]\n]{1,40}\])?,? .{0,30}below:$/
const frames = /^\((?:nothing recorded\)$|Rules are listed oldest first)/

/**
 * The carried texts of several generations, the newest first, as one: under headings of their own
 * they would fill more room with each generation, and what stands in the middle would go.
 */
function mergedGenerations(text: string): CarriedGenerations {
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
