import { calibrationDraft } from '../session/loop/step-record.ts'
import { entriesInForce } from '../log/history.ts'
import { recordOf, recordsOf } from '../log/client-records.ts'
import { hostedStore, hostKeyOf, withHostKey, type HostKey } from '../stores/hosted.ts'
import { Session, type SessionOptions } from '../session/session.ts'
import { project, type HostForms } from '../compaction/render/project.ts'
import { renumbered, type Renumbering } from '../formats/stored/renumbered.ts'
import { rewindDrafts } from '../match/rewind.ts'
import { unlessOvertaken } from '../session/unless-overtaken.ts'
import { summaryRoleOf } from '../compaction/render/summary-block.ts'
import { oneAtATime } from '../session/compacting/one-at-a-time.ts'
import { indexAfter, type Chronological } from '../log/order.ts'
import type { EntryDraft, Seq } from '../log/entry.ts'
import type { Message } from '../log/message.ts'
import type { Store } from '../session/store.ts'

/** A session whose messages a host keeps: they are the truth, and the store holds what we add. */
export interface HostedSession {
  readonly session: Session
  /** The host's messages with what was added to them, for reading back. */
  readonly store: Store
  /**
   * Makes the log match what the host has now: all of its entries in order, as the reader of its
   * format gives them. What the host has taken back is rewound. Usage counts only in the answer to
   * what {@link HostedSession.view} has shown last: the rest was measured on another view.
   */
  follow: (drafts: readonly EntryDraft[]) => Promise<void>
  /** Says that the next request is the context as it is now, in the host's own words. */
  served: () => void
  /** The next request in the host's own messages. */
  view: <Native extends object>(forms: HostForms<Native>) => Native[]
}

export interface HostedSessionOptions extends SessionOptions {
  /** Whether the host's own compaction is one of ours, which the log has already. */
  isOurs?: (draft: EntryDraft) => boolean
}

// Another process may be writing at the same time.
const attempts = 3

/**
 * Opens a session over a host's own log. It is empty until the first {@link HostedSession.follow}.
 * @throws InvalidWindowError if the window is invalid.
 * @example
 * const hosted = openHosted({ store, id: 'ses_1', window: { context: 200_000 } })
 * await hosted.follow(drafts)
 * await hosted.session.fit()
 * const messages = hosted.view({ original, say, replace })
 */
export function openHosted(options: HostedSessionOptions): HostedSession {
  const said = new Map<HostKey, Message>()
  const store = hostedStore(options.store, () => said)
  // Read with the host's first entries: before, nobody knows what its messages say.
  const session = new Session(withStore(options, store))
  const inTurn = oneAtATime()
  /** The context that the host's next answer is an answer to. */
  let shown: { changedAt: Seq; seq: Seq } | undefined
  /** What the log held of the host when it was followed last. */
  let followed: Followed | undefined

  async function follow(drafts: readonly EntryDraft[]): Promise<void> {
    const keys = keysOf(drafts)
    drafts.forEach((draft, index) => {
      if (draft.kind === 'message') said.set(keys[index] as HostKey, draft.message)
    })
    await unlessOvertaken(attempts, async () => {
      await session.sync()
      const log = await session.log()
      const before = followed && stillFollows(followed, { log, keys }) ? followed : undefined
      followed = undefined
      const place = before ?? placeIn(log, { drafts, keys })
      const added = additionsTo(place, { log, drafts, keys, isOurs: options.isOurs })
      if (added.length > 0) {
        const newest = session.context().seq
        await store.append(session.id, withTrustedUsage(added), { newest })
        await session.sync()
      }
      followed = { ...place, back: [], keys, newest: session.context().seq }
    })
  }

  /** The usage of other requests than the one that was shown is taken off. */
  function withTrustedUsage(added: readonly EntryDraft[]): EntryDraft[] {
    const { changedAt, seq } = session.context()
    let mayTrust = shown?.changedAt === changedAt && shown.seq === seq
    const taught: EntryDraft[] = []
    const drafts = added.map((draft): EntryDraft => {
      if (draft.kind !== 'message') {
        mayTrust &&= draft.kind === 'observation'
        return draft
      }
      if (draft.message.role !== 'assistant') return draft
      const { usage, ...rest } = draft
      if (!usage || !mayTrust) return rest
      mayTrust = false
      shown = undefined
      taught.push(...calibrationDraft(session, { usage }))
      return draft
    })
    return [...drafts, ...taught]
  }

  function served(): void {
    const { changedAt, seq } = session.context()
    shown = { changedAt, seq }
  }

  return {
    session,
    store,
    follow: (drafts) => inTurn(() => follow(drafts)),
    served,
    view(forms) {
      served()
      return project(session.context(), forms, summaryRoleOf(session.policy))
    },
  }
}

/** A host may say its model, window, system prompt and tools anew each time: getters stay getters. */
function withStore(options: SessionOptions, store: Store): SessionOptions {
  const own = Object.getOwnPropertyDescriptors(options)
  return Object.defineProperties({}, { ...own, store: { value: store } }) as SessionOptions
}

/** Where the host's drafts are in the log. */
interface Place {
  /** What takes back first what the host has taken back. */
  back: readonly EntryDraft[]
  /** By draft, as far as they were looked at. */
  seqs: Seq[]
  seqOf: Map<HostKey, Seq>
}

interface Followed extends Place {
  keys: readonly HostKey[]
  /** Nothing of the host's came into the log between. */
  newest: Seq
}

/** Whether the host has only gone on since, and nobody else has written of it. */
function stillFollows(
  { keys, newest }: Followed,
  now: { log: Chronological; keys: readonly HostKey[] },
): boolean {
  if ((now.log.at(-1)?.seq ?? 0) < newest) return false
  if (keys.some((key, index) => key !== now.keys[index])) return false
  return now.log
    .slice(indexAfter(now.log, newest))
    .every((entry) => entry.kind !== 'rewind' && hostKeyOf(entry) === undefined)
}

/** Looks through the whole log for what the host has now. */
function placeIn(
  log: Chronological,
  { drafts, keys }: { drafts: readonly EntryDraft[]; keys: readonly HostKey[] },
): Place {
  const inForce = entriesInForce(log)
  const had = new Set(keys.map(recordIn))
  const lost = inForce.find((entry) => {
    const key = hostKeyOf(entry)
    // A host may show a part of a record at times, such as a reminder.
    return key !== undefined && !had.has(recordIn(key))
  })
  const back = lost ? rewindDrafts(inForce, lost.seq - 1, drafts.at(-1)?.at ?? lost.at) : []
  const seqOf = new Map<HostKey, Seq>()
  for (const entry of inForce) {
    const key = hostKeyOf(entry)
    if (key !== undefined && (!lost || entry.seq < lost.seq)) seqOf.set(key, entry.seq)
  }
  return { back, seqs: [], seqOf }
}

/** What to append so that the log holds all of the host's entries, in the host's order. */
function additionsTo(
  { back, seqs, seqOf }: Place,
  {
    log,
    drafts,
    keys,
    isOurs,
  }: {
    log: Chronological
    drafts: readonly EntryDraft[]
    keys: readonly HostKey[]
    isOurs: HostedSessionOptions['isOurs']
  },
): EntryDraft[] {
  const newest = log.at(-1)?.seq ?? 0
  const added = [...back]
  const numbers: Renumbering = {
    of: (entry) => (entry < 1 ? entry : (seqs[entry - 1] ?? newest + added.length)),
    through: (entry) => (seqs[entry] ?? newest + added.length + 1) - 1,
  }
  for (let index = seqs.length; index < drafts.length; index++) {
    const draft = drafts[index] as EntryDraft
    const key = keys[index] as HostKey
    const known = seqOf.get(key)
    if (known === undefined && isKeyed(draft) && isOurs?.(draft) !== true) {
      added.push(withHostKey(renumbered(draft, numbers) as typeof draft, key))
      seqOf.set(key, newest + added.length)
    }
    seqs.push(known ?? newest + added.length)
  }
  return added
}

type HostDraft = Extract<EntryDraft, { kind: 'message' | 'checkpoint' | 'prune' }>

/** What a host can say: its messages, and what it has cleared or compacted by itself. */
function isKeyed(draft: EntryDraft): draft is HostDraft {
  return draft.kind === 'message' || draft.kind === 'checkpoint' || draft.kind === 'prune'
}

/** What each draft is called: its kind, its record in the host, and which of its entries it is. */
function keysOf(drafts: readonly EntryDraft[]): HostKey[] {
  const counts = new Map<string, number>()
  return drafts.map((draft, index) => {
    const record = recordOf(draft) ?? (draft.kind === 'prune' ? `prune@${draft.at}` : `#${index}`)
    const name = `${draft.kind} ${record}`
    const count = counts.get(name) ?? 0
    counts.set(name, count + 1)
    return `${name} ${count}`
  })
}

function recordIn(key: HostKey): string {
  return key.split(' ')[1] ?? key
}

export { recordOf, recordsOf }
