import { changesView, type Entry, type EntryDraft, type Seq } from '../log/entry.ts'
import { checkBase } from './compacting/check-base.ts'
import { SessionRemovedError, StoreConflictError } from './errors.ts'
import { oneAtATime } from './compacting/one-at-a-time.ts'
import { readRecentLog } from './recent-log.ts'
import { isRedaction } from './operations/redaction.ts'
import type { Chronological } from '../log/order.ts'
import type { AppendCondition, Rewriting, Store } from './store.ts'

/**
 * A session's log in its store, as far as it has been read: first what the context depends on, and
 * the rest when someone asks for it. Every read or write throws SessionRemovedError if the opened
 * session no longer exists.
 */
export class StoredLog {
  readonly #store: Store
  readonly #session: string
  readonly #breakerFailures: number
  readonly #inTurn = oneAtATime()
  readonly #onOthers: (entries: readonly Entry[]) => void
  readonly #others = new Set<Seq>()
  #entries: Entry[] = []
  #isOpen = false
  #generation = 0

  /** `onOthers` is told of entries that someone else has written since the log was opened. */
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

  /** All entries, from the first on. */
  async whole(): Promise<Chronological> {
    return this.#inTurn(async () => {
      if (this.#isWhole) return this.recent
      const entries = await this.#store.read(this.#session, { upTo: this.#newest })
      this.#checkHeld(entries.at(-1))
      this.#entries = entries
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
  async redact({ change, note }: Rewriting): Promise<Entry | undefined> {
    return this.#inTurn(async () => {
      const known = this.#entries.at(-1)
      let held = known === undefined
      const rewriting: Rewriting = {
        change: (entry) => {
          held ||= isSame(entry, known)
          return change(entry)
        },
        note: (changed) => {
          if (!held) throw new SessionRemovedError({ session: this.#session })
          return note(changed)
        },
      }
      let noted: Entry | undefined
      try {
        noted = await this.#store.redact(this.#session, rewriting)
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
    await this.#add(entries)
    return entries
  }

  /** Reads on; from `own` on, the entries are ours. */
  async #catchUp(own: Seq = Infinity): Promise<void> {
    const { seq: before = 0 } = this.#entries.at(-1) ?? {}
    await this.#readOn()
    const others = this.#entries.filter(({ seq }) => seq > before && seq < own)
    if (!this.#isOpen || others.length === 0) return
    for (const { seq } of others) this.#others.add(seq)
    this.#onOthers(others)
  }

  async #readOn(): Promise<void> {
    const known = this.#entries.at(-1)
    if (!known) return this.#readAnew()
    const [same, ...entries] = await this.#store.read(this.#session, { after: known.seq - 1 })
    this.#checkHeld(same)
    await this.#add(entries)
  }

  async #add(entries: readonly Entry[]): Promise<void> {
    const wasWhole = this.#isWhole
    const added = entries.filter(({ seq }) => seq > this.#newest)
    for (const entry of added) this.#entries.push(entry)
    // A view may rewind to an entry that hasn't been read.
    if (added.some(isRedaction) || (!wasWhole && added.some(changesView))) await this.#readAnew()
  }

  async #readAnew(): Promise<void> {
    const known = this.#entries.at(-1)
    const entries = await readRecentLog(this.#store, this.#session, this.#breakerFailures)
    if (known) {
      const [same] = await this.#store.read(this.#session, { seqs: [known.seq] })
      this.#checkHeld(same)
    }
    this.#entries = entries
    this.#generation += 1
  }

  /** A session of the same name that others have started since is a different one. */
  #checkHeld(entry: Entry | undefined): void {
    const known = this.#entries.at(-1)
    if (!known || isSame(entry, known)) return
    throw new SessionRemovedError({ session: this.#session })
  }

  get #isWhole(): boolean {
    return this.#entries.length === this.#newest
  }

  get #newest(): Seq {
    return this.#entries.at(-1)?.seq ?? 0
  }
}

function isSame(one: Entry | undefined, other: Entry | undefined): boolean {
  return one !== undefined && one.seq === other?.seq && Object.is(one.at, other.at)
}
