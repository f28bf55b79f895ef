import { indexAfter, type Chronological } from '../order.ts'
import type { Entry, EntryOf, Seq } from '../entry.ts'

/**
 * The guard against compacting twice, as in opencode's pull request 27545: usage is trusted only if
 * it was measured after the last entry that changed the context. The answer that made a session
 * overflow is in the kept tail, after the new summary, and still reports the size of the old
 * context. Trusting it would cause another compaction right away. The second guard is `believable` in
 * compaction/measure/measure.ts: usage that is too far from the estimate is not believed.
 *
 * `measured` is the newest message by seq that carries a provider's usage, `changedAt` the newest
 * entry that changed the context before it.
 */
export function trustedUsage(
  measured: EntryOf<'message'> | undefined,
  changedAt: Seq,
): EntryOf<'message'> | undefined {
  return measured && measured.seq > changedAt ? measured : undefined
}

/** The newest of each in a session, by seq. */
export interface Latest {
  human: EntryOf<'message'> | undefined
  assistant: EntryOf<'message'> | undefined
  /**
   * The newest answer that ended by itself; after a compaction, its checkpoint, which came later.
   */
  finished: EntryOf<'message'> | EntryOf<'checkpoint'> | undefined
  /** What the human asked for after `finished`. */
  tasks: EntryOf<'message'>[]
  /**
   * The newest message with a provider's usage; `trustedUsage` decides whether it still applies.
   */
  measured: EntryOf<'message'> | undefined
}

/**
 * Finds the newest state of a session in one pass, or the state of the entries after `after`, up to
 * `upTo`. It accepts only a log: an array in the model's order has old messages after new ones, and
 * reading that order as time would compact a session twice.
 * @example
 * latest(chronological(entries)).human?.seq
 */
export function latest(
  log: Chronological,
  { after = 0, upTo = Number.MAX_SAFE_INTEGER }: { after?: Seq; upTo?: Seq } = {},
): Latest {
  const found: Latest = {
    human: undefined,
    assistant: undefined,
    finished: undefined,
    tasks: [],
    measured: undefined,
  }
  for (let index = indexAfter(log, after); index < log.length; index++) {
    const entry = log[index] as Entry
    if (entry.seq > upTo) break
    if (entry.kind === 'message') hear(found, entry)
    if (entry.kind === 'checkpoint') finish(found, entry)
  }
  return found
}

function hear(found: Latest, entry: EntryOf<'message'>): void {
  const { message, origin, finish: reason, usage } = entry
  if (usage) found.measured = entry
  if (message.role === 'assistant') {
    found.assistant = entry
    if (reason === 'stop' || reason === 'tool-calls') finish(found, entry)
  }
  if (message.role === 'user' && origin === 'human') {
    found.human = entry
    found.tasks.push(entry)
  }
}

function finish(found: Latest, entry: EntryOf<'message'> | EntryOf<'checkpoint'>): void {
  found.finished = entry
  found.tasks = []
}
