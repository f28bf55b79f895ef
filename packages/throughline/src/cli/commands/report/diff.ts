import { contextOf, type Context } from '../../../log/context/context.ts'
import { changesView, type Seq } from '../../../log/entry.ts'
import { entriesIn, rangesAt } from '../../../log/history.ts'
import { partsOf, type Message } from '../../../log/message.ts'
import { sanitize, sanitizeLine } from '../../../log/sanitize.ts'
import { measureItems } from '../../../compaction/measure/measure.ts'
import { summaryRoleOf, type SummaryRole } from '../../../compaction/render/summary-block.ts'
import { policyOf } from '../../../config/policy-of.ts'
import { shownText } from '../../../session/recall/shown-text.ts'
import { counterOf } from '../../../tokens/counter.ts'
import { argument, restOf, type ParsedArguments } from '../../command.ts'
import { configurationFor } from '../../configuration.ts'
import { CommandError } from '../../errors.ts'
import { printAnswer } from '../../output/print-answer.ts'
import { usage } from '../../parse-arguments.ts'
import { ratioOf, realCounter } from '../../sizes/real-counter.ts'
import { readSessionNamed, type SessionInput } from '../../source/read-session.ts'
import { clipWords, wrap } from '../../terminal/columns.ts'
import { counted, withThousands } from '../../terminal/numbers.ts'
import { whileComputing } from '../../terminal/status-line.ts'
import type { ContextItem } from '../../../log/context/context-item.ts'
import type { Screen } from '../../terminal/colour.ts'
import type { Io } from '../../io.ts'

/** Two contexts, or one session around its newest compaction. */
export async function runDiff(parsed: ParsedArguments, io: Io): Promise<number> {
  const configuration = await configurationFor('report', parsed, io)
  const first = argument(parsed, 'session')
  const [second = '', ...more] = restOf(parsed, 'ref')
  if (first === '' || more.length > 0) throw usage('report', '--diff compares one session or two')
  if (first === '-' && second === '-') {
    throw usage('report', 'standard input holds one session: name the other')
  }
  const session = await readSessionNamed(first, configuration, io)
  const other = second === '' ? undefined : await readSessionNamed(second, configuration, io)
  const role = summaryRoleOf(policyOf(configuration, session.facts.model))
  const sides = await whileComputing(io, 'comparing', () =>
    other
      ? { before: sideOf(session, role), after: sideOf(other, role) }
      : aroundCompaction(session, role),
  )
  const differences = compare(sides.before.seen, sides.after.seen, { oneLog: !other })
  const answer = {
    json: () => diffJson(sides, differences),
    lines: (screen: Screen) =>
      diffLines(sides, differences, { ...screen, whole: parsed.flags.has('whole') }),
  }
  return printAnswer(answer, parsed, io)
}

/** One of the two contexts. */
interface Side {
  name: string
  seen: readonly Seen[]
  /** Of all of it, as other commands count it. */
  tokens: number
}

function sideOf(
  session: SessionInput,
  role: SummaryRole,
  { items }: Context = contextOf(session.log),
  name = session.name,
): Side {
  const counter = counterOf({ ratio: ratioOf(session) })
  const { message: count } = realCounter(counter)
  return {
    name,
    seen: items.map((item) => seenIn(item, count)),
    tokens: measureItems(items, counter, role),
  }
}

/** @throws CommandError if the session was never compacted. */
function aroundCompaction(session: SessionInput, role: SummaryRole): { before: Side; after: Side } {
  const { log, name } = session
  const context = contextOf(log)
  const newest = [...entriesIn(log, rangesAt(context.rewinds, context.seq))].findLast(
    (entry) => changesView(entry) && entry.kind !== 'rewind',
  )
  if (!newest) {
    throw new CommandError(`${name} was not compacted. Name another session to compare it with.`)
  }
  const { seq } = newest
  return {
    before: sideOf(session, role, contextOf(log, seq - 1), `${name} before entry ${seq}`),
    after: sideOf(session, role, contextOf(log, seq), 'after it'),
  }
}

function diffJson({ before, after }: { before: Side; after: Side }, all: readonly Difference[]) {
  const side = ({ name, seen, tokens }: Side) => ({ name, messages: seen.length, tokens })
  return { version: 1, before: side(before), after: side(after), differences: all }
}

/** A thing that a model sees in a context. */
export interface Seen {
  what: string
  /** Its entry; 0 for what belongs to none. */
  seq: Seq
  text: string
  tokens: number
}

function seenIn(item: ContextItem, count: (message: Message) => number): Seen {
  const message = messageOf(item)
  return {
    what: whatOf(item),
    seq: item.type === 'message' || item.type === 'late' ? item.seq : 0,
    text: partsOf(message)
      .map((part) => shownText(part))
      .join('\n'),
    tokens: Math.round(count(message)),
  }
}

function messageOf(item: ContextItem): Message {
  if (item.type === 'message' || item.type === 'late') return item.message
  if (item.type === 'continuation') return item.continuation.message
  const text = item.type === 'summary' ? [item.summary, ...item.pins].join('\n') : item.text
  return { role: 'user', content: text }
}

function whatOf(item: ContextItem): string {
  if (item.type === 'omission') return 'gap'
  if (item.type !== 'message') return item.type
  const { origin, message } = item
  if (message.role === 'assistant') return 'assistant'
  return message.role === 'tool' ? 'result' : origin === 'human' ? 'user' : origin
}

/** What two contexts have in common, and what one of them has alone, in order. */
type Difference =
  | { type: 'same'; before: Seen; after: Seen }
  | { type: 'gone'; before: Seen }
  | { type: 'new'; after: Seen }
  /** The same entry, with another text. */
  | { type: 'changed'; before: Seen; after: Seen }

/**
 * Compares two contexts. With `oneLog`, an entry that both have with different texts has changed.
 */
export function compare(
  before: readonly Seen[],
  after: readonly Seen[],
  { oneLog }: { oneLog: boolean },
): Difference[] {
  const same = samePlaces(before, after)
  const taken = new Set(same.values())
  const others = new Map(
    after.flatMap(({ seq }, place) =>
      oneLog && seq > 0 && !taken.has(place) ? [[seq, place]] : [],
    ),
  )
  const changed = new Map(
    before.flatMap(({ seq }, index) => {
      const place = same.has(index) ? undefined : others.get(seq)
      return place === undefined ? [] : [[index, place]]
    }),
  )
  for (const place of changed.values()) taken.add(place)
  const differences: Difference[] = []
  let next = 0
  const addNew = (end: number): void => {
    for (const [index, each] of after.slice(next, end).entries()) {
      if (!taken.has(next + index)) differences.push({ type: 'new', after: each })
    }
    next = end
  }
  for (const [index, own] of before.entries()) {
    const place = same.get(index)
    const other = after[place ?? changed.get(index) ?? -1]
    if (place !== undefined) addNew(place)
    differences.push(
      other === undefined
        ? { type: 'gone', before: own }
        : { type: place === undefined ? 'changed' : 'same', before: own, after: other },
    )
  }
  addNew(after.length)
  return differences
}

/**
 * Where each thing of one context is in the other, in the order of both. It looks from the end,
 * because what a compaction keeps is the end.
 */
function samePlaces(before: readonly Seen[], after: readonly Seen[]): Map<number, number> {
  const keyOf = ({ what, text }: Seen): string => `${what}\n${text}`
  const places = Map.groupBy(after.keys(), (place) => keyOf(after[place] as Seen))
  const same = new Map<number, number>()
  let end = after.length
  for (const [index, seen] of [...before.entries()].toReversed()) {
    const place = places.get(keyOf(seen))?.findLast((each) => each < end)
    if (place === undefined) continue
    same.set(index, place)
    end = place
  }
  return same
}

// How many lines of a run of alike differences are shown at each of its ends.
const shownAtEnds = 3
const shownOfSummary = 20

interface Shown extends Screen {
  whole: boolean
}

/** What differs between two contexts, for a reader. */
function diffLines(
  { before, after }: { before: Side; after: Side },
  differences: readonly Difference[],
  shown: Shown,
): string[] {
  const { paint, width } = shown
  const sideText = ({ name, seen, tokens }: Side): string =>
    `${name}: ${counted(seen.length, 'message')}, ${withThousands(tokens)} tokens`
  return [
    ...wrap(`- ${sideText(before)}`, width).map((line) => paint('red', line)),
    ...wrap(`+ ${sideText(after)}`, width).map((line) => paint('green', line)),
    '',
    ...runsOf(differences).flatMap((run) => runLines(run, shown)),
  ]
}

/** Neighbors that differ in the same way. */
function runsOf(differences: readonly Difference[]): Difference[][] {
  const runs: Difference[][] = []
  for (const difference of differences) {
    const last = runs.at(-1)
    if (last?.[0]?.type === difference.type) last.push(difference)
    else runs.push([difference])
  }
  return runs
}

function runLines(run: readonly Difference[], shown: Shown): string[] {
  const { whole, paint, width } = shown
  const seen = run.map((each) => ('after' in each ? each.after : each.before))
  if (run[0]?.type === 'same') return [paint('dim', clipWords(`  ${sameText(seen)}`, width))]
  const hidden = seen.slice(shownAtEnds, -shownAtEnds)
  const lines = (some: readonly Difference[]): string[] =>
    some.flatMap((each) => linesOf(each, shown))
  if (whole || hidden.length < 2) return lines(run)
  const more = `${counted(hidden.length, 'more', 'more')}, ${withThousands(tokensOf(hidden))} tokens`
  return [
    ...lines(run.slice(0, shownAtEnds)),
    paint('dim', `  … ${more}; --whole shows them`),
    ...lines(run.slice(-shownAtEnds)),
  ]
}

function sameText(seen: readonly Seen[]): string {
  const seqs = seen.map(({ seq }) => seq).filter((seq) => seq > 0)
  const [from, to] = [seqs[0], seqs.at(-1)]
  const where = from === undefined ? '' : from === to ? ` [${from}]` : ` [${from}–${to}]`
  const tokens = withThousands(tokensOf(seen))
  return `${counted(seen.length, 'message')} the same${where}, ${tokens} tokens`
}

function tokensOf(seen: readonly Seen[]): number {
  return seen.reduce((sum, { tokens }) => sum + tokens, 0)
}

function linesOf(difference: Difference, shown: Shown): string[] {
  const { width, paint } = shown
  switch (difference.type) {
    case 'gone':
      return [paint('red', clipWords(`- ${seenText(difference.before)}`, width))]
    case 'new':
      return newLines(difference.after, shown)
    case 'changed': {
      const { before, after } = difference
      const sizes = `${withThousands(before.tokens)} → ${withThousands(after.tokens)} tokens`
      const text = `~ [${after.seq}] ${after.what}  ${sizes}  ${firstWords(after.text)}`
      return [paint('yellow', clipWords(text, width))]
    }
    case 'same':
      return [clipWords(`  ${seenText(difference.after)}`, width)]
  }
}

/** A new message on one line; a summary with its own lines. */
function newLines(seen: Seen, { width, paint, whole }: Shown): string[] {
  if (seen.what !== 'summary') return [paint('green', clipWords(`+ ${seenText(seen)}`, width))]
  const lines = sanitize(seen.text).split('\n')
  const shown = whole ? lines : lines.slice(0, shownOfSummary)
  const more = lines.length - shown.length
  return [
    paint('green', `+ summary  ${withThousands(seen.tokens)} tokens`),
    ...shown.map((line) => paint('green', `+   ${whole ? line : clipWords(line, width - 4)}`)),
    ...(more > 0 ? [paint('dim', `    … ${counted(more, 'more line')}; --whole shows them`)] : []),
  ]
}

function seenText({ what, seq, text, tokens }: Seen): string {
  const place = seq > 0 ? `[${seq}] ` : ''
  return `${place}${what}  ${withThousands(tokens)} tokens  ${firstWords(text)}`
}

function firstWords(text: string): string {
  return sanitizeLine(text.slice(0, 600)).replace(/\s+/g, ' ').trim()
}
