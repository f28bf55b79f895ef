import { checkBase } from './check-base.ts'
import type { Entry, EntryDraft, Seq } from '../log/entry.ts'
import type { Chronological } from '../log/order.ts'
import type { Store } from './store.ts'

/** A session's log in its store, as far as it has been read. */
export class StoredLog {
  readonly #store: Store
  readonly #session: string
  readonly #entries: Entry[] = []

  constructor(store: Store, session: string) {
    this.#store = store
    this.#session = session
  }

  /** Grows in place. */
  get entries(): Chronological {
    return this.#entries as unknown as Chronological
  }

  /** Reads what others have appended meanwhile. */
  async sync(): Promise<void> {
    this.#add(await this.#store.read(this.#session, { after: this.#newest() }))
  }

  async append(drafts: readonly EntryDraft[]): Promise<Entry[]> {
    return this.#take(await this.#store.append(this.#session, drafts))
  }

  /**
   * Appends what a compaction made, in one piece.
   * @throws StoreConflictError if the view has changed since it was planned.
   */
  async commit(drafts: readonly EntryDraft[]): Promise<Entry[]> {
    checkBase(this.#session, this.entries, drafts)
    const condition = { newest: this.#newest() }
    return this.#take(await this.#store.append(this.#session, drafts, condition))
  }

  async #take(entries: Entry[]): Promise<Entry[]> {
    if (entries[0] && entries[0].seq !== this.#newest() + 1) await this.sync()
    this.#add(entries)
    return entries
  }

  /** Others may have read the same entries meanwhile: each stands in the log once. */
  #add(entries: readonly Entry[]): void {
    for (const entry of entries) if (entry.seq === this.#newest() + 1) this.#entries.push(entry)
  }

  #newest(): Seq {
    return this.#entries.at(-1)?.seq ?? 0
  }
}
