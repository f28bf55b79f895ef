import { badWords } from './summary-faults.ts'
import { excesses } from './bounds.ts'
import { illegalities } from '../../testing/legal.ts'
import { lastWords, paths } from './task.ts'
import { messageText } from '../../log/message-text.ts'
import type { Trial } from './trial.ts'

/** What is wrong with the end of a trial; empty if nothing is. */
export async function wrongsIn(trial: Trial): Promise<string[]> {
  const { session, requests, outcome } = trial
  const log = await session.log()
  const summaries = log.flatMap((entry) => (entry.kind === 'checkpoint' ? [entry.summary] : []))
  // What a provider says of reasoning is learned from one refused request each.
  const lessons = trial.events.filter(({ type }) => type === 'reasoning-refused').length
  const illegal = requests.filter(({ refused }) => refused === 'illegal').slice(lessons)
  return [
    ...illegalities(session.messages()),
    ...illegal.map(({ number }) => `request ${number} is illegal`),
    ...summaries.filter((text) => text.includes(badWords)).map(() => 'a bad summary was taken'),
    ...summaries
      .filter(
        (text) => text.includes('never/was-there') && !text.includes('(not seen in this session)'),
      )
      .map(() => 'a file that never existed is not marked'),
    ...excesses(trial),
    ...unasked(trial),
    ...(log.every(({ seq }, index) => seq === index + 1) ? [] : ['entries are missing']),
    ...(outcome.includes('finished') ? await unfinished(trial) : []),
  ]
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
