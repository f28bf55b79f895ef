import { draftsOf, type OpencodeMessage } from './messages.ts'
import { fieldsOf } from '../../json/fields.ts'
import { noteWritten } from './written.ts'
import type { OpenedSession } from './sessions.ts'
import { callName } from '../summary-calls.ts'
import { summaryAnswer } from './summary-answer.ts'
import { summaryBlock } from '../../compaction/render/summary-block.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { Done } from '../client-session.ts'

/** The message by which opencode asks for a compaction. */
export function isMarker({ parts }: OpencodeMessage): boolean {
  return parts.some(({ type }) => type === 'compaction')
}

/**
 * opencode compacts the session: ours is begun on all of its messages. What is to be asked of its
 * model goes out with the request that opencode makes anyway; where there is nothing to ask, that
 * request is a few words. Without an answer here, opencode compacts as it always does.
 */
export async function beginCompaction(
  open: OpenedSession,
  whole: readonly OpencodeMessage[],
  ledger: Ledger | undefined,
): Promise<{ prompt: string } | undefined> {
  const marker = whole.findLast(isMarker)
  const before = whole.filter((message) => message !== marker && !isBegun(message))
  await open.at.follow(draftsOf(open.at.session.id, before, ledger))
  const part = marker?.parts.find(({ type }) => type === 'compaction')
  const trigger = part?.['overflow'] === true ? 'overflow' : 'manual'
  if (trigger === 'overflow') await open.at.refused(newestError(before))
  const answer = summaryAnswer(open.ask)
  open.compacting = { answer, isToRead: true, done: Promise.resolve(undefined) }
  const done = open.at.compact(trigger, {})
  done.catch(() => {})
  open.compacting.done = done
  const question = await Promise.race([answer.question, done.then(() => undefined)])
  if (question) return { prompt: `${question.system}\n\n${question.prompt}` }
  if (await done) {
    const reason = 'opencode asks all the same where a summary is there already, in a few words'
    open.told({ call: callName(), became: 'unneeded', reason })
    return { prompt: 'Answer with the word OK and nothing else.' }
  }
  // Nothing could be made smaller: opencode may try by itself.
  open.compacting = undefined
  return undefined
}

/** An answer that has just been begun. */
function isBegun({ info, parts }: OpencodeMessage): boolean {
  return info['role'] === 'assistant' && parts.length === 0 && info['error'] === undefined
}

/** What the provider said when it refused the newest request. */
function newestError(messages: readonly OpencodeMessage[]): unknown {
  const error = messages.findLast(({ info }) => info['error'] !== undefined)?.info['error']
  return fieldsOf(error)?.['data'] ?? error
}

/** opencode's model has answered: what its message is to say, and what was done. */
export async function endCompaction(
  open: OpenedSession,
  { record, text }: { record: string; text: string },
): Promise<{ text: string; done: Done } | undefined> {
  const { compacting } = open
  if (!compacting) return undefined
  compacting.answer.give(text)
  const done = await compacting.done
  open.compacting = undefined
  const { checkpoint, pins, unpinned } = open.at.session.context()
  if (!done || !checkpoint) return undefined
  await noteWritten(open, record)
  const block = summaryBlock({
    summary: checkpoint.summary,
    pins: [...pins.values()].map((pin) => pin.text),
    takenBack: unpinned.map((pin) => pin.text),
  })
  return { text: block, done }
}

/** opencode got no answer to what it asked: ours is made without. */
export async function giveUpCompaction(open: OpenedSession): Promise<Done | undefined> {
  const { compacting } = open
  open.compacting = undefined
  compacting?.answer.fail(new Error('opencode got no answer'))
  return compacting?.done
}
