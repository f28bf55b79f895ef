import { firstDraft, saidDraft, vouchedFor } from '../once/log-of-messages.ts'
import { oneAtATime, type OneAtATime } from '../compacting/one-at-a-time.ts'
import { hostParts, type HostArray } from '../../match/host-array.ts'
import { rewindDrafts } from '../../match/rewind.ts'
import { unlessOvertaken } from '../unless-overtaken.ts'
import { saidBehindSummaryBlock, summaryRoleOf } from '../../compaction/render/summary-block.ts'
import { hasTravelled, travelledMark } from '../../log/travelled.ts'
import { changesFor, type Changes } from '../../match/changes.ts'
import { bestMatch } from '../../match/best-match.ts'
import type { Match } from '../../match/match-view.ts'
import type { Entry, EntryDraft, MessageDraft, Seq } from '../../log/entry.ts'
import type { Chronological } from '../../log/order.ts'
import { messageText, type Message } from '../../log/message.ts'
import type { Session } from '../session.ts'
import { isAsideBy, keptChanges } from '../../match/kept-changes.ts'
import { entriesInForce } from '../../log/history.ts'

/** What a host knows about a message besides its content. */
export type MessageFacts = Partial<
  Pick<MessageDraft, 'origin' | 'usage' | 'model' | 'finish' | 'metadata'>
>

export interface ReconcileOptions {
  /**
   * Describes a message that is new to the log, given its position in the host's array. By default,
   * user messages are the human's, and an answer's usage is unknown.
   */
  describe?: (message: Message, index: number) => MessageFacts | undefined
}

/** What reconciling changed in the log. */
export interface Reconciled {
  /** The entries of the new messages. */
  appended: readonly Entry[]
  /** The entry that the session rewound to, because the host had changed what came after it. */
  rewoundTo?: Seq
  /**
   * What was rewound of another process's work: messages that it has said since the session was
   * opened here, and that the host's array doesn't contain.
   */
  rewoundOthers?: readonly Entry[]
}

interface Hosted {
  inTurn: OneAtATime
  array: HostArray
}

const hosted = new WeakMap<Session, Hosted>()

/**
 * Makes a session's log match the array of messages that a host keeps. The array is what the
 * session last rendered, what it rendered before a compaction, or the host's own full history,
 * followed by what is new. New messages are appended once each. Messages that we rendered ourselves
 * (a summary, a `continue`) never count as something that was said.
 *
 * The array may also differ from the log earlier, because a message was edited or removed, because
 * the host went back, or because it is another conversation. The session then rewinds to the last
 * point that both have in common and continues from there: nothing is lost, and nothing is in the
 * context twice. Pins stay, and so do compactions of messages that remain.
 *
 * Messages are matched by hashes of their content, using only the log. So a copy of the array that
 * went through JSON works as well, also in another process. Leading system messages are the host's
 * system prompt: leave them out, but keep a summary among them.
 * @example
 * await reconcile(session, messages)
 * await session.fit()
 * const shorter = session.messages()
 */
export async function reconcile(
  session: Session,
  messages: readonly Message[],
  options: ReconcileOptions = {},
): Promise<Reconciled> {
  let host = hosted.get(session)
  if (!host) hosted.set(session, (host = { inTurn: oneAtATime(), array: { read: [], parts: [] } }))
  const { inTurn, array } = host
  return inTurn(() =>
    unlessOvertaken(attempts, () => reconcileNow(session, messages, array, options)),
  )
}

// A writer that is faster than this comparison is no agent.
const attempts = 20

async function reconcileNow(
  session: Session,
  messages: readonly Message[],
  array: HostArray,
  { describe }: ReconcileOptions,
): Promise<Reconciled> {
  // What another process has said meanwhile must not be undone unseen.
  await session.sync()
  const parts = hostParts(messages, array)
  const log = await session.log()
  const match = bestMatch(parts, {
    items: session.context().items,
    log,
    summaryRole: summaryRoleOf(session.policy),
    provider: session.provider,
  })
  const changes = changesFor(messages, parts, match)
  const rewoundOthers = othersBehind(session, changes, log)
  const drafts = [
    ...rewound(session, changes, match, log),
    ...othersNote(rewoundOthers, session.now()),
  ]
  const before = session.context().seq + drafts.length
  const begins = session.context().items.length === 0 || beginsAnew(match, changes)
  const isAside = isAsideBy(log, changes)
  for (const [count, { message, index, ours }] of changes.added.entries()) {
    // What was counted before a rewind, was counted for a request that is no longer this one.
    const isCounted = changes.rewindTo === undefined || (isAside && count === 0)
    const facts = factsOf(describe?.(message, index), isCounted)
    // Words after a summary in the same message are not ours: the message stays whole.
    const isAlone = saidBehindSummaryBlock(messageText(message)) === ''
    const first =
      begins && isAlone ? withoutSources(firstDraft(message, before + count)) : undefined
    // A summary matches only at the beginning of what is known; anywhere else it is ordinary text.
    const draft =
      first?.kind === 'message' || count === 0
        ? (first ?? saidDraft(message, messages[index - 1]))
        : saidDraft(message, messages[index - 1])
    const origin = ours ? { origin: 'synthetic' as const } : {}
    const said = {
      ...draft,
      ...(draft.kind === 'message' && { ...facts, ...origin }),
      at: session.now(),
    }
    drafts.push(begins && count === 0 ? vouchedFor(said) : said)
  }
  if (drafts.length === 0) return { appended: [] }
  // A rewind undoes only what was seen: if more was said in between, everything is compared again.
  const entries =
    changes.rewindTo === undefined
      ? await session.append(...drafts)
      : await session.appendAfter(log.at(-1)?.seq ?? 0, ...drafts)
  if (changes.rewindTo !== undefined && rewoundOthers.length > 0) {
    session.emit({ type: 'rewound-others', to: changes.rewindTo, entries: rewoundOthers })
  }
  const appended = entries.slice(entries.length - changes.added.length)
  const { rewindTo: rewoundTo } = changes
  return {
    appended,
    ...(rewoundTo !== undefined && { rewoundTo }),
    ...(rewoundOthers.length > 0 && { rewoundOthers }),
  }
}

function factsOf(facts: MessageFacts | undefined, isCounted: boolean): MessageFacts | undefined {
  if (isCounted || !facts) return facts
  const { usage: _, ...others } = facts
  return others
}

/** What another process has said, and a rewind undoes. */
function othersBehind(session: Session, { rewindTo }: Changes, log: Chronological): Entry[] {
  const others = session.writtenElsewhere
  if (rewindTo === undefined || others.size === 0) return []
  return entriesInForce(log).filter(
    ({ kind, seq }) => kind === 'message' && seq > rewindTo && others.has(seq),
  )
}

/** The log says so too: there may have been no listener. */
function othersNote(others: readonly Entry[], at: number): EntryDraft[] {
  if (others.length === 0) return []
  const data = { seqs: others.map(({ seq }) => seq) }
  return [{ kind: 'observation', at, observation: { type: 'note', name: 'rewound-others', data } }]
}

/**
 * A host's messages may hold what a stranger wrote: they never decide which other sessions of the
 * store are read from.
 */
function withoutSources(draft: EntryDraft): EntryDraft {
  if (draft.kind !== 'checkpoint') return draft
  return { ...draft, metadata: hasTravelled(draft) ? travelledMark : {} }
}

function beginsAnew({ length }: Match, { rewindTo }: Changes): boolean {
  return length === 0 && rewindTo !== undefined
}

/** The rewind, with the changes of the context and the pins that stay. */
function rewound(
  session: Session,
  changes: Changes,
  match: Match,
  log: Chronological,
): EntryDraft[] {
  const { rewindTo } = changes
  if (rewindTo === undefined) return []
  const [rewind, ...pins] = rewindDrafts(entriesInForce(log), rewindTo, session.now())
  const newest = (log.at(-1)?.seq ?? 0) + 1
  const kept = keptChanges(log, { match, changes, rewindTo, newest })
  return [...(rewind ? [rewind] : []), ...kept, ...pins]
}
