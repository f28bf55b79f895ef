import { droppedBetween } from '../compaction/plan/dropped-between.ts'
import { renderContext } from '../compaction/render/render.ts'
import { messageText } from '../log/message.ts'
import { modelOrder } from '../log/order.ts'
import { parseRef } from '../log/ref.ts'
import { entryOf, type Counting } from './filling.ts'
import { itemKinds, sumOfKinds } from './kinds.ts'
import { namesInWords, ownWords, standingIn, visibleText } from './standing.ts'
import { summaryLines, type Summary } from './summary-lines.ts'
import type { Facts } from '../facts/facts.ts'
import type { ContextItem, MessageItem } from '../log/context/context-item.ts'
import type { Seq, Sources } from '../log/entry.ts'
import type {
  AfterRow,
  BeforeRow,
  Comparison,
  Fate,
  Forgotten,
  Lost,
  SummaryLine,
} from './model.ts'

/** A context before and after something made it smaller. */
export interface Shrunk {
  before: readonly ContextItem[]
  after: readonly ContextItem[]
  /** The summary that took the place of the head; none of a pruning. */
  summary: Summary | undefined
  /** The newest entry that was there. */
  upTo: Seq
}

export interface ComparisonOptions extends Counting {
  /** What the log said up to that entry. */
  facts: Facts
  /** The sessions that what a summary cites may belong to, besides this one. */
  sources: Sources
  /** What an entry is, in a few words. */
  titleOf: (seq: Seq) => string
  protectedTools: readonly string[]
}

/** What became of every message, and what is not there any more, by name. */
export function compare(shrunk: Shrunk, options: ComparisonOptions): Comparison {
  const { before, after, summary, upTo } = shrunk
  const { facts } = options
  const lines = summary === undefined ? [] : summaryLines(summary, options, upTo)
  const messages = renderContext(modelOrder([...after]), options.summaryRole).messages
  const text = visibleText(messages)
  const names = namesInWords(facts)
  const standing = standingIn(text, facts, names)
  const earlier = renderContext(modelOrder([...before]), options.summaryRole).messages
  const unreadable = summary !== undefined && isEncrypted(summary)
  return {
    ...(unreadable && { unreadable }),
    rows: rowsOf(shrunk, citedBy(lines), options),
    result: after.map((item) => resultOf(item, options)),
    summary: lines,
    standing,
    forgot: {
      ...forgotten({ before: visibleText(earlier), after: text, names }, facts, standing),
      parts: partsGone(before, after, options.protectedTools),
    },
  }
}

/** What a reader of files writes in place of a summary that only its provider can read. */
function isEncrypted({ text }: Summary): boolean {
  return text.length < 400 && text.includes('encrypted and cannot be read')
}

function citedBy(lines: readonly SummaryLine[]): ReadonlySet<Seq> {
  const cited = new Set<Seq>()
  for (const { refs, found } of lines) {
    for (const ref of refs) cited.add(parseRef(ref)?.seq ?? 0)
    for (const seq of found) cited.add(seq)
  }
  return cited
}

function rowsOf(
  { before, after, summary }: Shrunk,
  cited: ReadonlySet<Seq>,
  options: ComparisonOptions,
): BeforeRow[] {
  const stays = new Map(after.map((item) => [entryOf(item), item]))
  // A step is cited by its call or by its result.
  const steps = stepsOf(before)
  const citedSteps = new Set([...cited].map((seq) => steps.get(seq) ?? seq))
  return before.map((item): BeforeRow => {
    const seq = entryOf(item)
    const size = sumOfKinds(itemKinds(item, options))
    const row = { seq, what: whatOf(item, options), before: size }
    if (item.type !== 'message' && item.type !== 'continuation') {
      const here = after.some((other) => other.type === item.type && other.seq === item.seq)
      return { ...row, fate: here ? 'kept' : 'replaced', after: here ? size : 0 }
    }
    const stayed = stays.get(seq)
    if (stayed !== undefined && stayed.type !== 'summary') {
      const left = sumOfKinds(itemKinds(stayed, options))
      return { ...row, fate: fateOf(item, stayed), after: left }
    }
    const cites = citedSteps.has(steps.get(seq) ?? seq)
    const known = summary !== undefined && (cites || isEncrypted(summary))
    return { ...row, fate: known ? 'summarized' : 'dropped', after: 0 }
  })
}

/** The first entry of the step that each entry belongs to. */
function stepsOf(items: readonly ContextItem[]): ReadonlyMap<Seq, Seq> {
  const steps = new Map<Seq, Seq>()
  let step: Seq | undefined
  for (const item of items) {
    if (item.type !== 'message') continue
    if (item.message.role === 'assistant') step = item.seq
    else if (item.message.role !== 'tool') step = undefined
    if (step !== undefined) steps.set(item.seq, step)
  }
  return steps
}

function fateOf(before: ContextItem, after: ContextItem): Fate {
  const was = replacedIn(before)
  const added = replacedIn(after).filter((text) => !was.includes(text))
  if (added.length === 0) return 'kept'
  return added.some((key) => key.startsWith('pruned')) ? 'pruned' : 'clipped'
}

function replacedIn(item: ContextItem): string[] {
  const replacements =
    item.type === 'message'
      ? item.replacements
      : item.type === 'continuation'
        ? item.continuation.replacements
        : undefined
  return (replacements ?? []).map(({ how, ref }) => `${how} ${ref}`)
}

function resultOf(item: ContextItem, options: ComparisonOptions): AfterRow {
  const seq = entryOf(item)
  const what = whatOf(item, options)
  const row = { seq, what, tokens: sumOfKinds(itemKinds(item, options)) }
  if (item.type === 'message') {
    const text = replacedText(item)
    if (text === undefined) return { ...row, is: 'kept' }
    const pruned = item.replacements?.some(({ how }) => how === 'pruned')
    return { ...row, is: pruned ? 'pruned' : 'clipped', text }
  }
  if (item.type === 'summary') return { ...row, is: 'summary' }
  const [message] = renderContext(modelOrder([item]), options.summaryRole).messages
  return { ...row, is: 'note', text: message ? messageText(message).slice(0, longestText) : '' }
}

const longestText = 20_000

function replacedText({ replacements }: MessageItem): string | undefined {
  if (!replacements?.length) return undefined
  return replacements
    .map((replacement) =>
      'text' in replacement ? replacement.text : (JSON.stringify(replacement.input, null, 1) ?? ''),
    )
    .join('\n')
    .slice(0, longestText)
    .toWellFormed()
}

function whatOf(item: ContextItem, { titleOf }: ComparisonOptions): string {
  switch (item.type) {
    case 'message':
      return titleOf(item.seq)
    case 'summary':
      return 'summary'
    case 'omission':
      return `a note that entries ${item.from} to ${item.to} are left out`
    case 'pin':
      return 'a pin'
    case 'continuation':
      return item.continuation.of === undefined
        ? 'a note that makes the agent go on'
        : titleOf(item.continuation.of)
    case 'late':
      return 'a late result'
  }
}

const mostNamed = 400

/** What the model saw before and sees no more; what was gone already is not forgotten again. */
function forgotten(
  texts: { before: string; after: string; names: ReturnType<typeof namesInWords> },
  { files, commands, errors }: Facts,
  { rules, requests }: Comparison['standing'],
): Omit<Forgotten, 'parts'> {
  const { before, after, names } = texts
  const isLost = (text: string): boolean => !after.includes(text) && before.includes(text)
  const gone = [...files.values()].filter(({ path }) => !names(after, path) && names(before, path))
  const named = (list: typeof gone): Lost[] =>
    list.slice(-mostNamed).map(({ path, seqs }) => ({ name: path, seq: seqs.at(-1) ?? 0 }))
  return {
    rules: rules
      .filter((rule) => rule.retractedBy === undefined && isLost(rule.text.trim()))
      .map(({ text, seq }) => ({ name: text, seq })),
    requests: requests
      .filter((request) => request.in === 'no' && before.includes(request.text.slice(0, ownWords)))
      .map(({ text, seq }) => ({ name: text, seq })),
    changed: named(gone.filter(({ state }) => state !== 'read')),
    read: named(gone.filter(({ state }) => state === 'read')),
    commands: [...commands.values()]
      .filter(({ purpose, command }) => purpose === 'check' && isLost(command))
      .slice(-mostNamed)
      .map(({ command, seqs }) => ({ name: command, seq: seqs.at(-1) ?? 0 })),
    errors: errors
      .filter((error) => error.resolvedBy === undefined && isLost(error.text))
      .slice(-mostNamed)
      .map(({ text, seq }) => ({ name: text, seq })),
  }
}

function partsGone(
  before: readonly ContextItem[],
  after: readonly ContextItem[],
  protectedTools: readonly string[],
): Forgotten['parts'] {
  const dropped = droppedBetween(modelOrder([...before]), modelOrder([...after]), protectedTools)
  const { results, skills, media, reasoning, humanMessages } = dropped
  return {
    results: results.length,
    skills: skills.length,
    media: media.length,
    reasoning: reasoning.length,
    human: humanMessages.length,
  }
}
