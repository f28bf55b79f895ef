import { badWords, spokenKey } from './summary-faults.ts'
import { coreHeadings } from '../../facts/summary/sections/core-sections.ts'
import { parseSections, saysNothing, sectionBody } from '../../facts/sections.ts'
import { type Bounds, runBounds } from './bounds.ts'
import { illegalities } from '../../testing/legal.ts'
import { lastWords, paths, rule } from './task.ts'
import { messageText } from '../../log/message.ts'
import type { Trial } from './trial.ts'

/** What is wrong with the end of a trial; empty if nothing is. */
export async function wrongsIn(trial: Trial, bounds: Bounds = runBounds): Promise<string[]> {
  const { session, requests, outcome } = trial
  const log = await session.log()
  const summaries = log.flatMap((entry) => (entry.kind === 'checkpoint' ? [entry.summary] : []))
  // What a provider says of reasoning is learned from one refused request each.
  const lessons = trial.events.filter(({ type }) => type === 'reasoning-refused').length
  const illegal = requests.filter(({ refused }) => refused === 'illegal').slice(lessons)
  return [
    ...illegalities(session.messages()),
    ...illegal.map(({ number }) => `request ${number} is illegal`),
    ...summaries.flatMap(wrongsInSummary),
    ...(isSaid(trial, badWords) ? ['the agent was told the words of a bad summary'] : []),
    ...(JSON.stringify(log).includes(spokenKey) ? ['the log holds a key'] : []),
    ...enlarged(trial),
    ...bounds(trial),
    ...unasked(trial),
    ...(log.every(({ seq }, index) => seq === index + 1) ? [] : ['entries are missing']),
    ...(outcome.includes('finished') ? await unfinished(trial) : []),
  ]
}

/** What a summary must not say, and what it must. */
function wrongsInSummary(text: string): string[] {
  const headings = text.split('\n').filter((line) => line.startsWith('## '))
  const missing = coreHeadings.filter((name, at) => headings[at] !== `## ${name}`)
  const files = sectionBody(parseSections(text), 'Relevant files') ?? ''
  const invents = text.includes('never/was-there') && !text.includes('(not seen in this session)')
  return [
    ...(text.includes(badWords) ? ['a bad summary was taken'] : []),
    ...missing.map((name) => `a summary has no section "${name}" in its place`),
    ...(text.includes(rule) ? [] : ['a summary has lost the rule']),
    ...(saysNothing(files) ? ['a summary says nothing of the files'] : []),
    ...(invents ? ['a file that never existed is not marked'] : []),
  ]
}

/** Whether the agent's own requests contain the words. */
function isSaid({ requests, summaries }: Trial, words: string): boolean {
  return requests.some((one) => {
    return !summaries.includes(one) && JSON.stringify(one.said).includes(words)
  })
}

/** Compactions that left more than they found. */
function enlarged({ events }: Trial): string[] {
  return events.flatMap((event) => {
    if (event.type !== 'compaction-finished' || event.report.after <= event.report.before) return []
    return [`a compaction made ${event.report.after} tokens of ${event.report.before}`]
  })
}

/**
 * Compactions that nobody asked for: with manual compaction, all automatic ones; and one overflow
 * may cause only one.
 */
function unasked({ session, events }: Trial): string[] {
  const triggers = events.flatMap((event) =>
    event.type === 'compaction-finished' ? [event.report.trigger] : [],
  )
  const overflows = events.filter(({ type }) => type === 'overflow').length
  const afterOverflow = triggers.filter((trigger) => trigger === 'overflow').length
  return [
    ...(afterOverflow > overflows ? ['one overflow was more than one compaction'] : []),
    ...(session.policy.auto || triggers.every((trigger) => trigger === 'manual')
      ? []
      : ['it was compacted unasked']),
  ]
}

/** What a finished task lacks. */
async function unfinished({ session, read }: Trial): Promise<string[]> {
  const missing = paths.filter((path) => !read.includes(path))
  const last = (await session.history()).at(-1)
  return [
    ...missing.map((path) => `${path} was not read`),
    // A call in answer to the request for a summary isn't one of the agent's.
    ...(new Set(read).size < read.length ? ['a file was read twice'] : []),
    ...(last && messageText(last.message).includes(lastWords)
      ? []
      : ['the last words are missing']),
  ]
}
