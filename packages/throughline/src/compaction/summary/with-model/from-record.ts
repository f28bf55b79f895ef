import { formatSections, headingKey, parseSections, saysNothing } from '../../../facts/sections.ts'
import { exactNames } from '../../../facts/heading-names.ts'
import { summarizeLocally } from '../local/summarize-locally.ts'
import { sharedTerms, termsOf } from './summarizer.ts'
import type { Facts } from '../../../facts/facts.ts'
import type { FallenOut } from './fallen-out.ts'
import type { Template } from '../template.ts'

/** The input for filling the room that a model's summary leaves. */
export interface FromRecordInput<T extends number = number> {
  facts: Facts
  template: Template
  /** The most that the summary may take with what is added, in the unit of `count`. */
  budget: NoInfer<T>
  count: (text: string) => T
  focus?: string | undefined
  /** Texts that appear next to the summary. */
  beside: readonly string[]
  /** What an earlier summary said and this one no longer says. */
  fallenOut?: readonly FallenOut[]
}

/** What stands above the lines that an update left out. */
export const keptLabel = 'Kept from the summary before:'
/** What stands above the lines that code adds from the log. */
export const recordLabel = 'From the record:'

/** With less room than this, nothing is added. */
const leastRoom = 60
/** Of the room, what lines that fell out may take: they may have been left out for a reason. */
const mostOfFallenOut = 0.5
/** A local summary says some of what the model said; what is asked for is that much larger. */
const larger = 1.35
const rounds = 3
/** A line of which the summary holds this share says nothing new. */
const mostSaid = 0.6

/**
 * Gives the room that a model's summary leaves to what it doesn't say: first the lines of an earlier
 * summary that fell out without a reason, then the human's messages and what the log states, as a
 * local summary would tell it.
 */
export function withRecord<T extends number>(summary: string, input: FromRecordInput<T>): string {
  const { budget, count, template } = input
  const parsed = parseSections(summary, exactNames(template.sections.map(({ heading }) => heading)))
  const room = (): number => budget - count(formatSections(parsed))
  const fallen = fitting(input.fallenOut ?? [], Math.floor(room() * mostOfFallenOut), count)
  add(parsed, fallen, keptLabel)
  for (let round = 0, asked = room() * larger; round < rounds && asked > leastRoom; round++) {
    const lines = newLines(formatSections(parsed), { ...input, budget: Math.floor(asked) as T })
    const cost = lines.reduce((sum, { line }) => sum + count(`${line}\n`), 0)
    const filled = { ...parsed, sections: parsed.sections.map((section) => ({ ...section })) }
    add(filled, fitting(lines, room() - leastRoom / 2, count), recordLabel)
    const text = formatSections(filled)
    if (count(text) <= budget && (cost >= room() * 0.8 || round === rounds - 1)) return text
    asked *= count(text) > budget ? 0.8 : Math.min((room() / Math.max(cost, 1)) * 1.05, 2.5)
  }
  return formatSections(parsed)
}

interface Parsed {
  preamble: string
  sections: { heading: string; body: string }[]
}

/** Puts lines under their headings, below what stands there. */
function add(parsed: Parsed, lines: readonly FallenOut[], label: string): void {
  for (const section of parsed.sections) {
    const key = headingKey(section.heading)
    const own = lines.filter(({ heading }) => headingKey(heading) === key).map(({ line }) => line)
    if (own.length === 0) continue
    const body = saysNothing(section.body) ? '' : section.body
    const labelled = body === '' ? own : [label, ...own]
    section.body = [body, ...labelled].filter((line) => line !== '').join('\n')
  }
}

function fitting(
  lines: readonly FallenOut[],
  tokens: number,
  count: (text: string) => number,
): FallenOut[] {
  let left = tokens
  const taken = lines.filter(({ line }) => {
    const cost = count(`${line}\n`)
    if (cost > left) return false
    left -= cost
    return true
  })
  // What introduces lines goes where none of them fits.
  return taken.filter(({ line, heading }, at) => {
    const next = taken[at + 1]
    return !isLabel(line) || (next?.heading === heading && !isLabel(next.line))
  })
}

function isLabel(line: string): boolean {
  return /^[^\s>-].*:$/.test(line)
}

/** What a local summary tells beside this one: statements, not names, and nothing that is said. */
function newLines<T extends number>(
  summary: string,
  { facts, template, budget, count, focus, beside }: FromRecordInput<T>,
): FallenOut[] {
  const texts = [...beside, summary]
  const local = summarizeLocally({ facts, template, budget, count, focus, beside: texts })
  const names = exactNames(template.sections.map(({ heading }) => heading))
  const said = summary.split('\n').map(termsOf)
  return parseSections(local, names).sections.flatMap(({ heading, body }) =>
    headingKey(heading) === 'instructions' || saysNothing(body)
      ? []
      : blocksOf(body).flatMap(({ label, items }) => {
          if (told.test(label)) return []
          const own = items.filter((item) => isStatement(item) && !isSaid(item, said, summary))
          if (own.length === 0) return []
          return (label === '' ? own : [label, ...own]).map((line) => ({ heading, line }))
        }),
  )
}

/** What a repair has told already, or names tell. */
const told =
  /^(?:(?:the |this )?(?:latest request|request of the human)\b|files changed\b|names from the record|more (?:paths|names)\b)/i

interface Block {
  /** The line above the items, which ends in a colon; empty where there is none. */
  label: string
  items: string[]
}

/** The items of a section, each with the lines that belong to it, under what introduces them. */
function blocksOf(body: string): Block[] {
  const blocks: Block[] = [{ label: '', items: [] }]
  for (const line of body.split('\n')) {
    const block = blocks.at(-1) as Block
    if (isLabel(line)) blocks.push({ label: line, items: [] })
    else if (/^\s/.test(line) || (line.startsWith('>') && block.items.at(-1)?.startsWith('>'))) {
      block.items.push(`${block.items.pop() ?? ''}\n${line}`.replace(/^\n/, ''))
    } else block.items.push(line)
  }
  return blocks
}

/** With fewer plain words than this a line is a list of names. */
const leastWords = 3

function isStatement(item: string): boolean {
  const words = item.match(/(?<![\p{L}\p{N}_./-])\p{L}{3,}(?![\p{L}\p{N}_./-]*[\p{N}_./])/gu) ?? []
  return words.length >= leastWords || /[^\p{ASCII}]{4}/u.test(item)
}

function isSaid(item: string, said: readonly ReadonlySet<string>[], summary: string): boolean {
  const words = item.replace(/^- \[[^\]]*\] /, '').trim()
  if (summary.includes(words)) return true
  const terms = termsOf(words)
  return said.some((line) => sharedTerms(terms, line) >= mostSaid)
}
