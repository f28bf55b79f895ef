import {
  changesView,
  type Entry,
  type EntryDraft,
  type Seq,
  isRedaction,
  type EntryOf,
  type Ref,
  type Replacement,
} from '../log/entry.ts'
import { SessionRemovedError, StoreConflictError } from './errors.ts'
import { oneAtATime } from './compacting/one-at-a-time.ts'
import { leftBy, readRecentLog } from './recent-log.ts'
import { lastRewind, isIn, rangesAt, rewindsIn } from '../log/history.ts'
import { chronological, indexAfter, type Chronological } from '../log/order.ts'
import type { AppendCondition, Rewriting, Store } from './store.ts'
import { replaceParts } from '../log/context/items-of.ts'
import { parseRef } from '../log/ref.ts'
import { partsOf } from '../log/message.ts'

// How many entries are read at a time where all are read, but not held.
const page = 1_000

/**
 * A session's log in its store, as far as it has been read: first what the context depends on, and
 * the rest when someone asks for it. Unless someone has, a compaction lets go of the entries that it
 * made unnecessary, and of the outputs that it pruned, so that a session takes no more memory as it gets longer. Every read or write
 * throws SessionRemovedError if the opened session no longer exists.
 */
export class StoredLog {
  readonly #store: Store
  readonly #session: string
  readonly #breakerFailures: number
  readonly #inTurn = oneAtATime()
  readonly #onOthers: (entries: readonly Entry[]) => void
  readonly #others = new Set<Seq>()
  #entries: Entry[] = []
  /** Those of them that are no messages: few, and found without a look at the others. */
  #unsaid: Entry[] = []
  #isOpen = false
  #generation = 0
  #rewritten = 0
  /** The outputs that are in the store alone. */
  #released = nothingReleased
  #holdsAll = false
  #heard: () => void = () => {}

  /** `onOthers` gets the entries that others have written since the log was opened. */
  constructor(
    store: Store,
    session: string,
    breakerFailures: number,
    onOthers: (entries: readonly Entry[]) => void = () => {},
  ) {
    this.#store = store
    this.#onOthers = onOthers
    this.#session = session
    this.#breakerFailures = breakerFailures
  }

  /**
   * What has been read so far; enough for the context. It only grows, until `generation` changes.
   */
  get recent(): Chronological {
    return this.#entries as unknown as Chronological
  }

  /** Changes when entries that were read are no longer valid; every view then starts again. */
  get generation(): number {
    return this.#generation
  }

  /** The entries that someone else has written since this log was opened. */
  get others(): ReadonlySet<Seq> {
    return this.#others
  }

  /** Changes when entries say something else than they did, held or not. */
  get rewritten(): number {
    return this.#rewritten
  }

  get newest(): Seq {
    return this.#newest
  }

  /** Calls this when there are new entries, before any are let go of. */
  whenAdded(heard: () => void): void {
    this.#heard = heard
  }

  /** The newest rewind after `seq`, which says what counts of everything before it. */
  rewindAfter(seq: Seq): Seq | undefined {
    const { recent } = this
    return recent[lastRewind(recent, indexAfter(recent, seq), recent.length)]?.seq
  }

  /** Whether all entries after `seq` are held. */
  isHeldAfter(seq: Seq): boolean {
    const from = indexAfter(this.recent, seq)
    return this.#entries.length - from === this.#newest - seq && this.#released.newest <= seq
  }

  /** The next entries after `seq`, some of them. They are not held. */
  async pageAfter(seq: Seq): Promise<Chronological> {
    return this.#inTurn(async () => {
      const upTo = Math.min(seq + page, this.#newest)
      const entries = await this.#store.read(this.#session, { after: seq, upTo })
      if (entries.at(-1)?.seq !== upTo) throw new SessionRemovedError({ session: this.#session })
      if (upTo === this.#newest) this.#checkHeld(entries.at(-1))
      return chronological(entries)
    })
  }

  /** All entries, from the first on; all are held from now on. */
  async whole(): Promise<Chronological> {
    this.#holdsAll = true
    return this.#inTurn(async () => {
      if (this.#isWhole) return this.recent
      const entries = await this.#store.read(this.#session, { upTo: this.#newest })
      this.#checkHeld(entries.at(-1))
      this.#hold(entries)
      this.#released = nothingReleased
      return this.recent
    })
  }

  /** Reads entries that others have appended in the meantime. */
  async sync(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#catchUp()
      this.#isOpen = true
    })
  }

  async append(drafts: readonly EntryDraft[]): Promise<Entry[]> {
    return this.#inTurn(() => this.#append(drafts, {}))
  }

  /**
   * Appends if nothing has been written after the entry `newest`.
   * @throws StoreConflictError
   */
  async appendAfter(newest: Seq, drafts: readonly EntryDraft[]): Promise<Entry[]> {
    return this.#inTurn(() => this.#append(drafts, { newest }))
  }

  /**
   * Appends a compaction's entries in one transaction.
   * @throws StoreConflictError if the view has changed since it was planned.
   */
  async commit(drafts: readonly EntryDraft[]): Promise<Entry[]> {
    return this.#inTurn(async () => {
      for (;;) {
        checkBase(this.#session, this.recent, drafts)
        const newest = this.#newest
        try {
          return await this.#append(drafts, { newest })
        } catch (error) {
          if (!StoreConflictError.isInstance(error)) throw error
          await this.#catchUp()
          // Messages that others added in the meantime are no reason to plan again.
          if (this.#newest === newest) throw error
        }
      }
    })
  }

  /** Overwrites entries and reads the log again. */
  async redact(rewriting: Rewriting): Promise<Entry | undefined> {
    return this.#inTurn(async () => {
      const known = this.#entries.at(-1)
      const condition = known && { holds: { seq: known.seq, at: known.at } }
      let noted: Entry | undefined
      try {
        noted = await this.#store.redact(this.#session, {
          ...rewriting,
          ...(condition && { condition }),
        })
        return noted
      } finally {
        // Also after a failure: the text may be gone from the store but still in its files.
        await this.#catchUp(noted?.seq)
      }
    })
  }

  async #append(drafts: readonly EntryDraft[], condition: AppendCondition): Promise<Entry[]> {
    const known = this.#entries.at(-1)
    const holds = known && { holds: { seq: known.seq, at: known.at } }
    const entries = await this.#store.append(this.#session, drafts, { ...condition, ...holds })
    if (entries[0] && entries[0].seq !== this.#newest + 1) await this.#catchUp(entries[0].seq)
    await this.#add(entries, !this.#holdsAll)
    return entries
  }

  /** Reads on; from `own` on, the entries are ours. */
  async #catchUp(own: Seq = Infinity): Promise<void> {
    const others = (await this.#readOn()).filter(({ seq }) => seq < own)
    if (!this.#isOpen || others.length === 0) return
    for (const { seq } of others) this.#others.add(seq)
    this.#onOthers(others)
  }

  /** Reads what is new, and returns it. */
  async #readOn(): Promise<readonly Entry[]> {
    const known = this.#entries.at(-1)
    if (!known) {
      await this.#readAnew()
      return this.#entries
    }
    const [same, ...entries] = await this.#store.read(this.#session, { after: known.seq - 1 })
    this.#checkHeld(same)
    await this.#add(entries)
    return entries
  }

  async #add(entries: readonly Entry[], letsGo = false): Promise<void> {
    const wasWhole = this.#isWhole
    const added = entries.filter(({ seq }) => seq > this.#newest)
    for (const entry of added) {
      this.#entries.push(entry)
      if (entry.kind !== 'message') this.#unsaid.push(entry)
    }
    if (added.some(isRedaction)) {
      this.#rewritten += 1
      return this.#readAnew()
    }
    if (added.length > 0) this.#heard()
    const changes = added.filter(changesView)
    const left = letsGo ? this.#leftBy(changes) : undefined
    if (left) this.#hold(left)
    // A view may rewind to an entry that hasn't been read.
    else if (!wasWhole && changes.length > 0) await this.#readAnew()
    else if (changes.some(({ kind }) => kind === 'prune')) this.#release()
  }

  #hold(entries: Entry[]): void {
    this.#entries = entries
    this.#unsaid = entries.filter(({ kind }) => kind !== 'message')
  }

  /** Lets go of what was pruned. */
  #release(): void {
    if (this.#holdsAll) return
    const { entries, released } = withoutPruned(this.#entries)
    this.#hold(entries)
    this.#released = released
  }

  /** What a checkpoint leaves to hold, if it is all that changed the view. */
  #leftBy([checkpoint, ...more]: readonly Entry[]): Entry[] | undefined {
    if (checkpoint?.kind !== 'checkpoint' || more.length > 0) return undefined
    if (!keepsReleased(checkpoint, this.#released)) return undefined
    const held = { entries: this.recent, unsaid: this.#unsaid }
    return leftBy(held, checkpoint, this.#breakerFailures)
  }

  async #readAnew(): Promise<void> {
    const known = this.#entries.at(-1)
    const entries = await readRecentLog(this.#store, this.#session, this.#breakerFailures)
    if (known) {
      const [same] = await this.#store.read(this.#session, { seqs: [known.seq] })
      this.#checkHeld(same)
    }
    this.#hold(entries)
    this.#release()
    this.#generation += 1
  }

  /** A session of the same name that others have started since is a different one. */
  #checkHeld(entry: Entry | undefined): void {
    const known = this.#entries.at(-1)
    if (!known || isSame(entry, known)) return
    throw new SessionRemovedError({ session: this.#session })
  }

  get #isWhole(): boolean {
    return this.#entries.length === this.#newest && this.#released === nothingReleased
  }

  get #newest(): Seq {
    return this.#entries.at(-1)?.seq ?? 0
  }
}

function isSame(one: Entry | undefined, other: Entry | undefined): boolean {
  return one !== undefined && one.seq === other?.seq && Object.is(one.at, other.at)
}

/**
 * Checks that a compaction still fits the log it was planned for. Messages added in the meantime go
 * after its checkpoint. Any other change of the view is a conflict. So is a redaction, because the
 * summary may contain the redacted text.
 * @throws StoreConflictError
 */
function checkBase(session: string, log: Chronological, drafts: readonly EntryDraft[]): void {
  const newest = log.at(-1)?.seq ?? 0
  const base = drafts.find((draft) => 'base' in draft)?.base ?? newest
  const since = log.slice(indexAfter(log, base))
  if (since.some((entry) => changesView(entry) || isRedaction(entry))) {
    throw new StoreConflictError({ session, expected: base, newest })
  }
}

/** The outputs that are in the store alone. */
interface Released {
  /** The entry of each, by its ref. */
  refs: ReadonlyMap<Ref, Seq>
  /** The newest of these entries; 0 without any. */
  newest: Seq
}

const nothingReleased: Released = { refs: new Map(), newest: 0 }

/**
 * Puts what a prune in force shows in place of the outputs that it took out of the context: whoever
 * folds the entries sees the same, and nothing holds the texts. The store does. Only another change of
 * the view, such as an undo, needs them again.
 */
function withoutPruned(entries: readonly Entry[]): {
  entries: Entry[]
  released: Released
} {
  const ranges = rangesAt(rewindsIn(entries), entries.at(-1)?.seq ?? 0)
  const bySeq = new Map<Seq, Map<Ref, Replacement>>()
  for (const entry of entries) {
    if (entry.kind !== 'prune' || !isIn(ranges, entry.seq)) continue
    for (const replacement of entry.replacements) {
      const seq = parseRef(replacement.ref)?.seq ?? 0
      const own = bySeq.get(seq) ?? new Map<Ref, Replacement>()
      bySeq.set(seq, own.set(replacement.ref, replacement))
    }
  }
  if (bySeq.size === 0) return { entries: [...entries], released: nothingReleased }
  const refs = new Map<Ref, Seq>()
  let newest = 0
  const left = entries.map((entry) => {
    const replaced = entry.kind === 'message' ? bySeq.get(entry.seq) : undefined
    if (entry.kind !== 'message' || !replaced) return entry
    const outputs = [...replaced.values()].filter(({ ref }) => isOutput(entry, ref))
    for (const { ref } of outputs) refs.set(ref, entry.seq)
    if (outputs.length > 0) newest = entry.seq
    return outputs.length === 0
      ? entry
      : { ...entry, message: replaceParts(entry.message, outputs) }
  })
  const released = newest === 0 ? nothingReleased : { refs, newest }
  // A checkpoint by another writer may show what was pruned before.
  const isShown = entries.some((one) => one.kind === 'checkpoint' && !keepsReleased(one, released))
  return isShown
    ? { entries: [...entries], released: nothingReleased }
    : { entries: left, released }
}

/** Whether a checkpoint shows no output that was released. */
function keepsReleased({ tail }: EntryOf<'checkpoint'>, { refs }: Released): boolean {
  const kept = new Map(tail.flatMap((item) => (item.type === 'entry' ? [[item.seq, item]] : [])))
  return [...refs].every(([ref, seq]) => {
    const item = kept.get(seq)
    return item === undefined || item.replacements?.some((one) => one.ref === ref) === true
  })
}

function isOutput({ message }: EntryOf<'message'>, ref: Ref): boolean {
  const part = parseRef(ref)?.part
  return part !== undefined && partsOf(message)[part]?.type === 'tool-result'
}
