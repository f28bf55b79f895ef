import { textOf, moduleOf, wordOf, type LongAgent, type SeenRequest } from './agent.ts'
import { longPrompts, planted, standing } from './prompts.ts'
import type { ServedRequest } from 'throughline/testing/provider'

/** What a client did in a long life, as its provider saw it. */
export interface LongFigures {
  requests: number
  compactions: number
  summaries: number
  refused: number
  /** In tokens. */
  largest: number
  /** The share of all requests that stood at the beginning of the one before. */
  cached: number
  /** Requests that did not begin with the one before, beside compactions and new processes. */
  cacheBreaks: number
  /** First requests of a resumed process that were larger than the last one and the new words. */
  grownByResuming: number
  /** Requests after a compaction that lack the task, a rule in force, or the newest words. */
  lacks: number
  /** Requests in which a rule that was replaced stands as one in force. */
  replacedInForce: number
  /** Requests that say what a file says, or what Throughline said, as the human's. */
  notTheHumans: number
  /** Shares of what the model had found and written, at the end of each process. */
  facts: number
  files: number
  /** Calls of the agent's own tools that were not answered. */
  unanswered: number
  /**
   * What a compaction adds to a step, from the last request before it to the first after it, in
   * milliseconds; the middle one. The models of the trial write a summary at once, but for the slow one.
   */
  wait: number
  /** Some of what is wrong, in words. */
  examples: string[]
}

// New words, reminders, and what a client says of the time, in tokens.
const ofProcess = 3_000

export function longFigures({ seen, refused }: Pick<LongAgent, 'seen' | 'refused'>): LongFigures {
  const main = seen.filter(({ kind }) => kind === 'main')
  const examples: string[] = []
  const note = (words: string): void => {
    if (examples.length < 12 && !examples.includes(words)) examples.push(words)
  }
  let compactions = 0
  let cacheBreaks = 0
  let grownByResuming = 0
  let lacks = 0
  let replacedInForce = 0
  let notTheHumans = 0
  let compactedIn: number | undefined
  const shares: { facts: number; files: number }[] = []
  for (const [index, { request, prompt, told }] of main.entries()) {
    const before = main[index - 1]
    const shrank = didShrink(before, request)
    if (shrank) {
      compactions += 1
      compactedIn = prompt
    }
    const isNew = before?.prompt !== prompt
    if (before && isNew && request.tokens > before.request.tokens + ofProcess) {
      grownByResuming += 1
      note(`process ${prompt} began with ${request.tokens} tokens, after ${before.request.tokens}`)
    }
    if (before && !isNew && !shrank && !begins(before.request, request)) {
      cacheBreaks += 1
      if (cacheBreaks <= 3) note(`request ${request.number} does not begin with the one before`)
    }
    if (main[index + 1]?.prompt !== prompt) shares.push(sharesIn(request, told))
    if (compactedIn === undefined) continue
    const text = textOf(request)
    const lost = lackingIn(text, prompt)
    if (lost.length > 0) lacks += 1
    for (const words of lost) note(`request ${request.number} lacks ${JSON.stringify(words)}`)
    const rules = section(text, 'Instructions')
    for (const rule of standing) {
      // What is said behind a summary replaces nothing in it.
      if ((rule.until ?? Infinity) > compactedIn) continue
      const line = rules.find((each) => each.includes(rule.words))
      if (line === undefined || /taken back|replaced/i.test(line)) continue
      // One demand of two is replaced: the newer one stands below it, and is said to hold.
      if (rules.some((each) => each.includes('the newer holds'))) continue
      replacedInForce += 1
      note(`request ${request.number} has the replaced rule ${JSON.stringify(line)}`)
    }
    const stranger = strangerIn(request)
    if (stranger !== undefined) {
      notTheHumans += 1
      note(
        `request ${request.number} says as the human's: ${JSON.stringify(stranger.slice(0, 160))}`,
      )
    }
  }
  const unanswered = unansweredIn(seen)
  for (const words of unanswered) note(words)
  const mean = (key: 'facts' | 'files'): number =>
    shares.reduce((sum, share) => sum + share[key], 0) / Math.max(shares.length, 1)
  return {
    requests: main.length,
    compactions,
    summaries: seen.filter(({ kind }) => kind === 'summary').length,
    refused: refused(),
    largest: Math.max(...seen.map(({ request }) => request.tokens)),
    cached: cachedShare(main),
    cacheBreaks,
    grownByResuming,
    lacks,
    replacedInForce,
    notTheHumans,
    facts: mean('facts'),
    files: mean('files'),
    unanswered: unanswered.length,
    wait: waitIn(main),
    examples,
  }
}

function sharesIn(request: ServedRequest, told: SeenRequest['told']) {
  const text = textOf(request)
  // The word of the newest file is told with the next.
  const words = Math.max(told.words - 1, 0)
  const share = (count: number, name: (file: number) => string): number => {
    let found = 0
    for (let file = 1; file <= count; file++) if (text.includes(name(file))) found += 1
    return count === 0 ? 1 : found / count
  }
  return {
    facts: share(words, wordOf),
    files: share(told.modules, (file) => moduleOf(file).replace('src/', '')),
  }
}

function section(text: string, heading: string): string[] {
  const [, body = ''] = text.split(`## ${heading}\n`, 2)
  return body.split(/\n## /, 1)[0]?.split('\n') ?? []
}

/** What must stand in a request after a compaction and does not: the task, rules, the newest words. */
export function lackingIn(text: string, prompt: number): string[] {
  const inForce = standing.filter(({ from, until = Infinity }) => from <= prompt && until > prompt)
  const newest = longPrompts[prompt]?.words.split('\n', 1)[0] ?? ''
  return [...inForce.map(({ words }) => words), newest].filter((words) => !text.includes(words))
}

/** A line that a person is said to have written, and that a file or Throughline wrote. */
export function strangerIn(request: ServedRequest): string | undefined {
  const { said } = request
  const rule = section(textOf(request), 'Instructions').find((line) => line.includes(planted))
  if (rule !== undefined) return rule
  for (const part of said) {
    if (part.type !== 'text' || part.role !== 'user') continue
    const bare = part.text
      .replace(/<([a-z-]+)>[^]*?<\/\1>/g, '')
      .split('\n')
      .map((line) => line.trim())
    const line = bare.find(
      (each) =>
        each === planted ||
        /^\d*[→\t ]*Line \d+ of notes/.test(each) ||
        /^(?:continue|What is left out)/.test(each),
    )
    if (line !== undefined && !(line === 'continue')) return line
  }
  // The list under the heading, quoted or not.
  const heading = /What the human said before[^\n]*(?:\n(?:> )?(?:- | {2}).*)*/.exec(
    said.map((part) => (part.type === 'text' ? part.text : '')).join('\n'),
  )?.[0]
  return heading
    ?.split('\n')
    .find((line) => line.includes(planted) || /Line \d+ of notes/.test(line))
}

/** What providers keep of a prompt. */
function begins(before: ServedRequest, now: ServedRequest): boolean {
  const parts = now.said.map((part) => JSON.stringify(part))
  return before.said.every((part, at) => JSON.stringify(part) === parts[at])
}

function cachedShare(main: readonly SeenRequest[]): number {
  let [all, cached] = [0, 0]
  for (const [index, { request }] of main.entries()) {
    const before = main[index - 1]?.request.said ?? []
    const parts = request.said.map((part) => JSON.stringify(part))
    const own = parts.findIndex((part, at) => part !== JSON.stringify(before[at]))
    all += parts.join('').length
    cached += parts.slice(0, own === -1 ? parts.length : own).join('').length
  }
  return cached / Math.max(all, 1)
}

/** The results of recall that are errors, or say that nothing is there. */
function unansweredIn(seen: readonly SeenRequest[]): string[] {
  const results = new Map<string, string>()
  for (const { request } of seen) {
    for (const part of request.said) {
      // Pruned later, it shows its placeholder.
      if (part.type !== 'result' || results.has(part.id)) continue
      if (part.id.startsWith('call_recall_')) results.set(part.id, part.text)
    }
  }
  return [...results].flatMap(([id, text]) =>
    text.includes('marigold') || text.includes('Line 0 of notes 1 ')
      ? []
      : [`${id}: ${text.slice(0, 200)}`],
  )
}

function didShrink(before: SeenRequest | undefined, { tokens }: ServedRequest): boolean {
  return before !== undefined && tokens < before.request.tokens * 0.75
}

function waitIn(main: readonly SeenRequest[]): number {
  const usual: number[] = []
  const compacting: number[] = []
  for (const [index, { request, prompt, at }] of main.entries()) {
    const before = main[index - 1]
    // A new process takes its own time to start.
    if (before?.prompt !== prompt) continue
    ;(didShrink(before, request) ? compacting : usual).push(at - before.at)
  }
  return compacting.length === 0 ? 0 : middleOf(compacting) - middleOf(usual)
}

function middleOf(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0
}
