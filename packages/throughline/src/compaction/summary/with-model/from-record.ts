import { coreSection } from '../../../facts/summary/sections/core-sections.ts'
import { instructions } from '../../../facts/summary/sections/instructions.ts'
import { sum } from '../../../facts/summary/human-lines.ts'
import { formatSections, parseSections, saysNothing } from '../../../facts/sections.ts'
import { headingKey } from '../../../facts/heading-key.ts'
import { exactNames } from '../../../facts/heading-names.ts'
import { summarizeLocally } from '../local/summarize-locally.ts'
import { checkedOffLabel, messagesLabel } from '../../../facts/labels.ts'
import { openListLabel } from '../../../facts/summary/now.ts'
import { sharedTerms, termsOf } from './summarizer.ts'
import type { Facts } from '../../../facts/facts.ts'
import { isStatement, type FallenOut } from './fallen-out.ts'
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

/** The label above the lines that an update left out. */
export const keptLabel = 'Kept from the summary before:'
/** The label above the lines that code adds from the log. */
export const recordLabel = 'From the record:'

/** With less room than this, nothing is added. */
const leastRoom = 30
/** Of the room, what lines that fell out may take: they may have been left out for a reason. */
const mostOfFallenOut = 0.5
/**
 * A local summary says some of what the model said; what is asked for is that much larger. A short
 * one begins with what any summary says.
 */
const larger = (room: number): number => room * (room < smallRoom ? 2.2 : 1.35)
const smallRoom = 1_500
const rounds = 4
/** A line of which one line of the summary holds this share says nothing new, nor one of which all of it holds that. */
const mostSaid = 0.6
const mostInAll = 0.85

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
  for (let round = 0, asked = larger(room()); round < rounds && asked > leastRoom; round++) {
    const told = toldBeside(formatSections(parsed), { ...input, budget: Math.floor(asked) as T })
    const cost = sum(told.filter(({ isNew }) => isNew).map(({ lines }) => costOf(lines, count)))
    const filled = { ...parsed, sections: parsed.sections.map((section) => ({ ...section })) }
    add(filled, chosen(told, room() - leastRoom / 2, count), recordLabel)
    const text = formatSections(filled)
    if (count(text) <= budget && (cost >= room() * 0.8 || round === rounds - 1)) return text
    asked *= count(text) > budget ? 0.8 : Math.min((room() / Math.max(cost, 1)) * 1.05, 2.5)
  }
  return formatSections(parsed)
}

function costOf(lines: string, count: (text: string) => number): number {
  return count(`${lines}\n`)
}

interface Parsed {
  preamble: string
  sections: { heading: string; body: string }[]
}

/** A summary without what code added to it from the log. */
export function withoutRecord(summary: string): string {
  if (!summary.includes(recordLabel)) return summary
  const parsed = parseSections(summary)
  for (const section of parsed.sections) {
    const lines = section.body.split('\n')
    const start = lines.indexOf(recordLabel)
    if (start >= 0) section.body = lines.slice(0, start).join('\n').trimEnd()
  }
  return formatSections(parsed)
}

/** Adds lines under their headings, below the existing ones. */
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
  // A line that introduces others is dropped if none of them fits.
  return taken.filter(({ line, heading }, at) => {
    const next = taken[at + 1]
    return !isLabel(line) || (next?.heading === heading && !isLabel(next.line))
  })
}

function isLabel(line: string): boolean {
  return /^[^\s>-].*:$/.test(line)
}

/** Something that a local summary tells. */
interface Told {
  heading: string
  /** What introduces it; empty where nothing does. */
  label: string
  lines: string
  /** With what is said of it in other words. */
  whole: string
  /** Nothing of it is said. */
  isNew: boolean
}

/** What a local summary adds to this one: statements, not names, and nothing that it already says word for word. */
function toldBeside<T extends number>(
  summary: string,
  { facts, template, budget, count, focus, beside }: FromRecordInput<T>,
): Told[] {
  const texts = [...beside, summary]
  const local = summarizeLocally({ facts, template, budget, count, focus, beside: texts })
  const names = exactNames(template.sections.map(({ heading }) => heading))
  const said = saidIn(summary)
  const isOld = isOvertaken(facts)
  return parseSections(local, names).sections.flatMap(({ heading, body }) =>
    coreSection(heading) === instructions || saysNothing(body)
      ? []
      : blocksOf(body).flatMap(({ label, items }) =>
          told.test(label) || (isOld && listed.test(label))
            ? []
            : items.flatMap((item) => toldOf(item, { heading, label, said })),
        ),
  )
}

/** A shorter rest of an item would not be understood. */
const leastLeft = 0.5

/** The assistant's own list: what is on it that is open, and what is checked off. */
const listed = new RegExp(`^(?:${openListLabel}|${checkedOffLabel})`)

/**
 * Whether the assistant has ended its turn, or was asked for something else, since it last touched
 * its list: what came of it the model has read, and the list may say otherwise.
 */
function isOvertaken({ todos, requests, statements }: Facts): boolean {
  const newest = Math.max(...todos.map(({ seq }) => seq))
  const isLater = ({ seq }: { seq: number }): boolean => seq > newest
  return requests.some(isLater) || statements.some((one) => one.source === 'answer' && isLater(one))
}

function toldOf(
  item: string,
  { heading, label, said }: { heading: string; label: string; said: Said },
): Told[] {
  if (!isStatement(item)) return []
  if (label === messagesLabel) {
    return isSaid(item, said) ? [] : [{ heading, label, lines: item, whole: item, isNew: true }]
  }
  const [rest] = unsaid(item, said)
  if (rest !== undefined && isStatement(rest)) {
    // What is left of it makes sense where most of it is.
    const isMost = termsOf(rest).size >= termsOf(item).size * leastLeft
    if (isMost) return [{ heading, label, lines: rest, whole: item, isNew: true }]
  }
  return isSaid(item, said) ? [] : [{ heading, label, lines: item, whole: item, isNew: false }]
}

/** What fits, in its order: first what is new, then what is said in other words. */
function chosen(
  told: readonly Told[],
  tokens: number,
  count: (text: string) => number,
): FallenOut[] {
  let left = tokens
  const taken = new Set<Told>()
  const labels = new Set<string>()
  for (const isNew of [true, false]) {
    for (const each of told) {
      if (each.isNew !== isNew) continue
      const key = `${each.heading}\n${each.label}`
      const label = each.label === '' || labels.has(key) ? 0 : costOf(each.label, count)
      const cost = costOf(each.lines, count) + label
      if (cost > left) continue
      left -= cost
      taken.add(each)
      labels.add(key)
    }
  }
  const given = new Set<string>()
  return told
    .filter((each) => taken.has(each))
    .flatMap(({ heading, label, lines, whole }) => {
      const key = `${heading}\n${label}`
      const isFirst = label !== '' && !given.has(key)
      given.add(key)
      const more = costOf(whole, count) - costOf(lines, count)
      const line = more <= left ? whole : lines
      left -= line === whole ? Math.max(more, 0) : 0
      return (isFirst ? [label, line] : [line]).map((line) => ({ heading, line }))
    })
}

/** Lines that a repair has already added, or that only list names. */
const told =
  /^(?:(?:the |this )?(?:latest request|request of the human)\b|files changed\b|names from the record)/i

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

/** What the summary says. */
interface Said {
  text: string
  lines: readonly ReadonlySet<string>[]
  all: ReadonlySet<string>
}

function saidIn(text: string): Said {
  const lines = text.split('\n').map(termsOf)
  return { text, lines, all: new Set(lines.flatMap((terms) => [...terms])) }
}

/** Whether one line of the summary says it: a number that stands nowhere in it is not said in other words. */
function isSaid(line: string, { text, lines, all }: Said): boolean {
  const words = line.replace(/^\s*(?:[-*>] |\d{1,2}\. )?(?:\[[^\]]*\] )?/, '').trim()
  if (text.includes(words)) return true
  const terms = termsOf(words)
  if ([...terms].some((term) => hasDigit.test(term) && !all.has(term))) return false
  return lines.some((said) => sharedTerms(terms, said) >= mostSaid)
}

const hasDigit = /\p{N}/u

/** Whether one line of the summary says it, or all of it together. */
function isKnown(line: string, said: Said): boolean {
  return isSaid(line, said) || sharedTerms(termsOf(line), said.all) >= mostInAll
}

/** An item without those of its lines that are said, nor such as introduce nothing else; none if all are. */
function unsaid(item: string, said: Said): string[] {
  const [head = '', ...lines] = item.split('\n')
  if (lines.length === 0) return isKnown(head, said) ? [] : [item]
  // Code and tables are kept whole.
  if (lines.some((line) => /^\s*(?:```|\|)/.test(line))) return isKnown(item, said) ? [] : [item]
  const kept = lines.filter((line) => !isKnown(line, said))
  const told = kept.filter(
    (line, at) => !introduces(line) || (at + 1 < kept.length && !introduces(kept[at + 1] ?? '')),
  )
  if (told.length === lines.length) return [item]
  if (told.length === 0) return isKnown(head, said) || introduces(head) ? [] : [head]
  const ref = /^- \[[^\]]*\] /.exec(head)?.[0]
  return [[isKnown(head, said) && ref !== undefined ? `${ref}…` : head, ...told].join('\n')]
}

/** A heading, or the words before a list. */
function introduces(line: string): boolean {
  return /^\s*#{1,6} |[:：…]\**\s*$|^\s*\*\*[^*]+\*\*\s*$/.test(line)
}
