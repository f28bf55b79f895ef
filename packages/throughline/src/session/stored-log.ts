import { checkBase } from './check-base.ts'
import { isStoreConflict, SessionRemovedError } from './errors.ts'
import { readRecentLog } from './recent-log.ts'
import type { Entry, EntryDraft, Seq } from '../log/entry.ts'
import type { Chronological } from '../log/order.ts'
import type { AppendCondition, Rewriting, Store } from './store.ts'

/**
 * A session's log in its store, as far as it has been read: at first what the context depends
 * on, the rest when somebody asks for it.
 */
export class StoredLog {
  readonly #store: Store
  readonly #session: string
  readonly #breakerFailures: number
  #entries: Entry[] = []
  #generation = 0

  constructor(store: Store, session: string, breakerFailures: number) {
    this.#store = store
    this.#session = session
    this.#breakerFailures = breakerFailures
  }

  /** What has been read: enough for the context. It only grows, until `generation` changes. */
  get recent(): Chronological {
    return this.#entries as unknown as Chronological
  }

  /** Another one where what had been read is no longer true: every view begins anew. */
  get generation(): number {
    return this.#generation
  }

  /** Everything, from the first entry on. */
  async whole(): Promise<Chronological> {
    while (!this.isWhole) {
      const newest = this.#newest()
      const entries = await this.#store.read(this.#session, { upTo: newest })
      if (entries.length < newest) throw new SessionRemovedError({ session: this.#session })
      if (this.#newest() === newest) this.#entries = entries
    }
    return this.recent
  }

  get isWhole(): boolean {
    return this.#entries.length === this.#newest()
  }

  /** Reads what others have appended meanwhile. */
  async sync(): Promise<void> {
    const newest = this.#newest()
    if (newest === 0) await this.#readAnew()
    else await this.#add(await this.#store.read(this.#session, { after: newest }))
  }

  async append(drafts: readonly EntryDraft[]): Promise<Entry[]> {
    return this.#appendIf(drafts, { atLeast: this.#newest() })
  }

  /**
   * Appends what a compaction made, in one piece.
   * @throws StoreConflictError if the view has changed since it was planned.
   */
  async commit(drafts: readonly EntryDraft[]): Promise<Entry[]> {
    checkBase(this.#session, this.recent, drafts)
    return this.#appendIf(drafts, { newest: this.#newest() })
  }

  /** Overwrites entries, and reads the log anew. */
  async redact(rewriting: Rewriting): Promise<Entry | undefined> {
    const note = await this.#store.redact(this.#session, rewriting)
    if (note) await this.sync()
    return note
  }

  async #appendIf(drafts: readonly EntryDraft[], condition: AppendCondition): Promise<Entry[]> {
    const known = this.#newest()
    let entries: Entry[]
    try {
      entries = await this.#store.append(this.#session, drafts, condition)
    } catch (error) {
      const removed = isStoreConflict(error) && error.newest < known
      throw removed ? new SessionRemovedError({ session: this.#session, cause: error }) : error
    }
    if (entries[0] && entries[0].seq !== this.#newest() + 1) await this.sync()
    await this.#add(entries)
    return entries
  }

  /** Others may have read the same entries meanwhile: each stands in the log once. */
  async #add(entries: readonly Entry[]): Promise<void> {
    const whole = this.isWhole
    const added = entries.filter(({ seq }) => seq > this.#newest())
    for (const entry of added) if (entry.seq === this.#newest() + 1) this.#entries.push(entry)
    // A rewind may bring back what has not been read.
    if (added.some(isRedaction) || (!whole && added.some(({ kind }) => kind === 'rewind'))) {
      await this.#readAnew()
    }
  }

  async #readAnew(): Promise<void> {
    this.#entries = await readRecentLog(this.#store, this.#session, this.#breakerFailures)
    this.#generation += 1
  }

  #newest(): Seq {
    return this.#entries.at(-1)?.seq ?? 0
  }
}

function isRedaction(entry: Entry): boolean {
  return entry.kind === 'observation' && entry.observation.type === 'redaction'
}
