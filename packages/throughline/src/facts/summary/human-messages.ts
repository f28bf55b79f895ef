import { beginsHere, clippedBelow } from '../request-place.ts'
import { messagesLabel, ofAgent } from '../labels.ts'
import { clipEnd, clipMiddle, oneLine, quote } from './clip-words.ts'
import { standsClipped } from './human-lines.ts'
import { fenceOf } from '../human/fences.ts'
import { isPasted, sentencesOf } from '../human/sentences.ts'
import { withoutBlankEnds } from '../human/blank-ends.ts'
import { termsOf } from '../statements/terms.ts'
import { foldRepeated } from '../human/repeated.ts'
import { labeled } from '../../log/speaker.ts'
import type { RequestFact } from '../facts.ts'
import type { Facts } from './known-facts.ts'
import type { Beside } from './beside.ts'
import type { Room } from './room.ts'

/** How much of a request is needed here to recognize it if it also appears next to the summary. */
const recognised = 24

/** However much room there is, a message gets no more tokens than this. */
const most = 1_600
/** With fewer, a message says too little: where not all can have so many, some are left out. */
const least = 28
/** Where the messages can't have so many, those that say nothing by themselves are left out. */
const few = 40
/** A shorter message only says yes, or to go on. */
const shortest = 16

/** What a message costs besides its words, in characters. */
const perMessage = 32

/** The latest message is given more room than the first, by this factor. */
const latestOverFirst = 2

/** The human's newest request, word for word; clipped only if it is longer than `tokens`. */
export function latestRequest(
  index: Facts,
  { room, tokens, beside }: { room: Room; tokens: number; beside: Beside },
): readonly string[] {
  const latest = index.requests.at(-1)
  if (latest === undefined) return []
  const stands = beside.includes(latest.text.trim())
  const only = index.requests.length === 1 && latest.by === undefined
  const label = only ? 'The request of the human' : 'The latest request'
  const by = latest.by === 'agent' ? ofAgent : ''
  const clipped = !stands && standsClipped(latest.text.trim(), beside)
  const limit = clipped ? Math.min(2 * recognised, tokens) : tokens
  const told = stands
    ? beginningOf(latest.text, room, Math.min(recognised, tokens))
    : clippedWords(latest.text, room, limit)
  const part = stands && told !== withoutBlankEnds(latest.text)
  const where = part ? beginsHere : clipped ? clippedBelow : ''
  return room.take([`${label} [${latest.seq}]${by}${where}:`, ...quote(labeled(told, latest))])
}

/** A message that is hardly longer than its beginning is shown whole. */
const hardlyLonger = 1.7

/** As much of a message as it is recognized by. */
function beginningOf(text: string, room: Room, tokens: number): string {
  const words = withoutBlankEnds(text)
  if (room.cost(words) <= tokens * hardlyLonger) return words
  const own = withoutPasted(words, { typed: true }).replace(/^(?:…\n)+/, '')
  return room.clip(own, tokens)
}

/**
 * Every message of the human but the latest, oldest first, word for word, each clipped as far as
 * all of them need. One that stands next to the summary, or whole among its rules, is not repeated.
 */
export function* humanMessages(
  index: Facts,
  { room, tokens, beside, rules = [] }: SaidRoom & { rules?: readonly string[] },
): Generator<undefined, string[]> {
  const listed = rules.join('\n')
  const isRule = ({ text, seq }: RequestFact): boolean =>
    [`${text.trim()} [${seq}]`, `“${text.trim()}” [${seq}]`].some((line) =>
      listed.includes(` ${line}`),
    )
  const said = index.requests
    .slice(0, -1)
    .filter((request) => !beside.includes(request.text.trim()) && !isRule(request))
  const tasks = tasksOfAgent(said, { room, tokens: Math.floor(tokens * shareOfTasks) })
  const all = foldRepeated(said.filter(({ by }) => by === undefined))
  const cost = tasks.reduce((sum, line) => sum + room.cost(line), 0)
  const left = Math.min(tokens - cost, room.left) - room.cost(messagesLabel)
  const fitting = yield* longestThatFit(all, room, left)
  if (fitting.length === 0) return tasks
  return [...room.take([messagesLabel]), ...room.take(fitting), ...tasks]
}

interface SaidRoom {
  room: Room
  tokens: number
  beside: Beside
}

/** Of the room for what was said, tasks of another agent that are answered take no more. */
const shareOfTasks = 0.3
const longestTask = 160
const tasksLabel = 'What the agent that started this one asked before, oldest first:'

/** What another agent asked before, as many of the newest as fit: each is answered by now. */
function tasksOfAgent(
  said: readonly RequestFact[],
  { room, tokens }: { room: Room; tokens: number },
): string[] {
  const lines = said
    .filter(({ by }) => by === 'agent')
    .map(({ text, seq }) => `- [${seq}] ${clipEnd(oneLine(text), longestTask)}`)
  const taken = room.takeFitting(lines.toReversed(), tokens - room.cost(tasksLabel))
  return taken.length === 0 ? [] : [...room.take([tasksLabel]), ...taken.toReversed()]
}

/** The lines for the greatest limit with which all messages fit; else without those that say least. */
function* longestThatFit(
  all: readonly RequestFact[],
  room: Room,
  tokens: number,
): Generator<undefined, string[]> {
  const whole = all.map((said) => room.cost(labeled(said.text, said)))
  yield
  let kept = all.map((_, at) => at)
  // `yes` and `go on` go first, then questions, then what says least; what the session began with, last.
  if (costWith(few) > tokens) kept = kept.filter((at) => (all[at]?.text ?? '').length > shortest)
  let over = costWith(least) - tokens
  const gone = new Set<number>()
  for (const at of over > 0 ? yield* inOrder(all, kept) : []) {
    if (over <= 0) break
    gone.add(at)
    over -= costOf(at, least)
  }
  kept = kept.filter((at) => !gone.has(at))
  if (kept.length === 0) return []
  yield
  let low = least
  let high = most
  while (high - low > 4) {
    const middle = Math.floor((low + high) / 2)
    if (costWith(middle) <= tokens) low = middle
    else high = middle
  }
  const limit = low
  return kept.map((at) => {
    const said = all[at] as RequestFact
    const words = clippedWords(said.text, room, limitOf(at, limit))
    return lineOf(labeled(words, said), said.seq)
  })

  function limitOf(at: number, limit: number): number {
    const share = all.length < 2 ? 1 : at / (all.length - 1)
    return Math.floor(limit * (1 + (latestOverFirst - 1) * share))
  }

  function costWith(limit: number): number {
    return kept.reduce((sum, at) => sum + costOf(at, limit), 0)
  }

  function costOf(at: number, limit: number): number {
    return Math.min(whole[at] ?? 0, limitOf(at, limit)) + 8
  }
}

/** Messages in the order in which they go: questions, then what says least, then the first. */
function* inOrder(
  all: readonly RequestFact[],
  kept: readonly number[],
): Generator<undefined, number[]> {
  const onlyAsks = new Set(
    kept.filter((at) => sentencesOf(all[at]?.text ?? '').every(({ question }) => question)),
  )
  yield
  const worth = worthOf(all)
  const rest = kept.filter((at) => at > 0 && !onlyAsks.has(at))
  const byWorth = rest.toSorted((a, b) => (worth[a] ?? 0) - (worth[b] ?? 0))
  return [...[...onlyAsks].filter((at) => at > 0), ...byWorth, 0]
}

/**
 * What each message brings for its length: terms that few others have, and the more the later it was
 * said. The square keeps the names that an agent's next calls need: `npm run bench:check`.
 */
function worthOf(all: readonly RequestFact[]): number[] {
  const terms = all.map(({ text }) => termsOf(text))
  const messages = new Map<string, number>()
  for (const some of terms) {
    for (const term of some) messages.set(term, (messages.get(term) ?? 0) + 1)
  }
  return all.map(({ text }, at) => {
    let sum = 0
    for (const term of terms[at] ?? []) sum += Math.log(all.length / (messages.get(term) ?? 1))
    return (sum / (text.length + perMessage)) * (0.1 + at / all.length) ** 2
  })
}

function lineOf(words: string, seq: number): string {
  const lines = words.split('\n').map((line) => line.trimEnd())
  const told = lines.filter((line) => line !== '')
  // Where the first line is indented, only a line of its own shows how deep the others are.
  const start = /^\s/.test(told[0] ?? '') ? ['', ...told] : told
  return `- [${seq}] ${start.join('\n  ')}`.replace(' \n', '\n')
}

/** More than this that was pasted tells less than what others have to say, in tokens. */
const mostPasted = 150
/** Where there is less, what somebody typed at a prompt goes with what was printed, in tokens. */
const enoughForTyped = 120
/** With fewer words next to it, nothing is said about it. */
const fewestOwn = 3

/** A message within `tokens`: pasted text is dropped first, then its middle. */
function clippedWords(text: string, room: Room, tokens: number): string {
  const words = withoutBlankEnds(text)
  const characters = room.characters(words, tokens)
  const pasted = room.characters(words, Math.min(tokens, mostPasted))
  if (words.length <= pasted) return words
  const own = withoutPasted(words, { typed: tokens >= enoughForTyped })
  if (own === words && words.length <= characters) return words
  // A message that is pasted as a whole is what the human said.
  const isAllPasted = (own.match(/\p{L}{2,}/gu) ?? []).length < fewestOwn
  return isAllPasted ? clipMiddle(words, pasted) : clipMiddle(own, characters)
}

/** How much of a message is searched for what was pasted into it. */
const WINDOW = 40_000

/** A prompt, followed by what was typed. */
const TYPED = /^\s{0,8}(?:❯|➜|\$|%|PS [^>\n]{0,80}>)\s+\S/
/** So few lines between two fences are named rather than pasted: a path, an address, a command. */
const mostNamed = 2
const longestNamed = 200

function withoutPasted(text: string, { typed }: { typed: boolean }): string {
  if (text.length > WINDOW) return text
  const kept: string[] = []
  let fence = ''
  let wasPasted = false
  let wasTyped = false
  const lines = text.split('\n')
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as string
    const mark = fenceOf(line)
    const named = fence === '' && mark !== '' ? namedAt(lines, at, mark) : undefined
    if (named !== undefined) {
      kept.push(...named)
      at += named.length + 1
      continue
    }
    const inside = fence !== ''
    if (inside && mark.startsWith(fence)) fence = ''
    else if (!inside) fence = mark
    // What was typed at a prompt may go on in the next line.
    wasTyped =
      typed && !inside && (TYPED.test(line) || (wasTyped && lines[at - 1]?.endsWith('\\') === true))
    // An indented line below one of a console or a log continues it.
    const goesOn: boolean = wasPasted && /^(?:\s{4,}|\t)\S/.test(line)
    const pasted: boolean = !wasTyped && (inside || mark !== '' || goesOn || isPasted(line.trim()))
    if (line.trim() !== '') wasPasted = pasted && mark === ''
    if (!pasted) kept.push(line)
    else if (kept.findLast((line) => line.trim() !== '') !== '…') kept.push('…')
  }
  return kept.join('\n')
}

/** The few lines between the fence here and the next one. */
function namedAt(lines: readonly string[], at: number, mark: string): string[] | undefined {
  const after = lines.slice(at + 1, at + 2 + mostNamed)
  const end = after.findIndex((line) => fenceOf(line).startsWith(mark))
  const named = after.slice(0, end)
  return end > 0 && named.every((line) => line.length <= longestNamed) ? named : undefined
}
