import { checkRewind } from '../log/history.ts'
import { latest, type Latest } from '../log/context/trusted-usage.ts'
import { type Plan } from '../compaction/plan/plan.ts'
import { planCompaction } from '../compaction/plan/plan-compaction.ts'
import type { Trigger } from '../compaction/trigger.ts'
import { renderContext } from '../compaction/render/render.ts'
import { summaryRoleOf } from '../compaction/render/summary-block.ts'
import { Compactions } from './compacting/compactions.ts'
import { internalsOf, planInput, type Internals } from './internals.ts'
import { timeSlices } from './loop/pause.ts'
import { childLinks, childSession, reportDraft, type ChildOptions } from './operations/children.ts'
import { InvalidEntryError } from '../log/invalid-entry-error.ts'
import { pin, unpin } from './operations/pin.ts'
import { redact, type RedactionReport } from './operations/redaction.ts'
import { undo, type CompactionEntry } from './operations/undo.ts'
import { readRefIn } from './recall/follow-ref.ts'
import type { Entry, EntryDraft, EntryOf, Ref, Seq } from '../log/entry.ts'
import type { Message, Part, UserMessage } from '../log/message.ts'
import type { Chronological } from '../log/order.ts'
import type { Context } from '../log/context/context.ts'
import type { Budget } from '../compaction/plan/budget.ts'
import type { Measurement, RequestFrame } from '../compaction/measure/measure.ts'
import type { Counter } from '../tokens/counter.ts'
import type { EstimatedTokens } from '../tokens/units.ts'
import type { Policy } from '../compaction/policy.ts'
import type { Report } from '../compaction/report.ts'
import type { Facts } from '../facts/facts.ts'
import type { Window } from '../tokens/window.ts'
import type { SessionEvent } from './events.ts'
import type { CompactRequest, SessionOptions } from './options.ts'

export type { CompactRequest, SessionOptions } from './options.ts'

/**
 * One session of an agent: its log in a store, and the views of that log. Compactions run one at a
 * time, so that one overflow causes one compaction.
 */
export class Session {
  readonly id: string
  readonly #internals: Internals
  readonly #compactions: Compactions

  constructor(options: SessionOptions) {
    this.id = options.id
    this.#internals = internalsOf(options)
    this.#compactions = new Compactions(this.#internals)
  }

  /** The whole log, as last read. */
  async log(): Promise<Chronological> {
    return this.#internals.stored.whole()
  }

  /**
   * All entries in order, read as they are asked for: a long session is never in memory whole.
   * @example
   * for await (const { seq, kind } of session.entries()) console.log(seq, kind)
   */
  async *entries(): AsyncGenerator<Entry> {
    const { stored } = this.#internals
    const turn = timeSlices()
    for (let seq = 0; seq < stored.newest;) {
      const page = await stored.pageAfter(seq)
      await turn()
      yield* page
      seq += page.length
    }
  }

  get policy(): Policy {
    return this.#internals.policy
  }

  get frame(): RequestFrame {
    return this.#internals.options
  }

  /** The provider that answers, if it is known. Its own compactions are sent to it. */
  get provider(): string | undefined {
    return this.#internals.provider
  }

  /** The model's window, or the smaller one learned from its provider's errors. */
  get window(): Window {
    return this.#internals.sizes.window
  }

  get counter(): Counter {
    return this.#internals.sizes.counter
  }

  context(): Context {
    return this.#internals.views.context()
  }

  /** What the user sees. */
  async history(): Promise<readonly EntryOf<'message'>[]> {
    return this.#internals.views.history()
  }

  /** The newest entry of each kind by seq, in the whole log, including rewound entries. */
  async latest(): Promise<Latest> {
    return latest(await this.log())
  }

  async facts(): Promise<Facts> {
    return this.#internals.views.facts()
  }

  /** The messages of the next request. */
  messages(): Message[] {
    return renderContext(this.context().items, summaryRoleOf(this.policy)).messages.slice()
  }

  /** The size of the next request, in tokens of the model. */
  measure(): Measurement {
    return this.#internals.sizes.measure()
  }

  /**
   * The size of the next request by our own count alone, without what was learned about the model.
   */
  estimate(): EstimatedTokens {
    return this.#internals.sizes.estimate()
  }

  budget(): Budget {
    return this.#internals.sizes.budget()
  }

  /** The plan of a compaction now; changes nothing. */
  async plan(trigger: Trigger = 'manual'): Promise<Plan> {
    await this.#internals.ready()
    const facts = await this.facts()
    return planCompaction(planInput(this.#internals, trigger, () => facts))
  }

  /**
   * Reads back what a ref names, in its original words.
   * @throws RefNotFoundError
   */
  async read(ref: string): Promise<Message | Part> {
    return readRefIn(this.#internals.store, this.id, ref)
  }

  /** The entries that others have written to this session since it was opened. */
  get writtenElsewhere(): ReadonlySet<Seq> {
    return this.#internals.stored.others
  }

  /** Reads entries that others have appended in the meantime. */
  async sync(): Promise<void> {
    const turn = timeSlices()
    await this.#internals.stored.sync()
    await this.#internals.ready(turn)
  }

  /** Appends a message from the human. */
  async say(content: UserMessage['content']): Promise<Entry[]> {
    const message = { role: 'user', content } as const
    return this.append({ kind: 'message', at: this.now(), message, origin: 'human' })
  }

  async append(...drafts: EntryDraft[]): Promise<Entry[]> {
    return this.#internals.append(...drafts)
  }

  /**
   * Appends if nobody has written to the session after the entry `newest`.
   * @throws StoreConflictError
   */
  async appendAfter(newest: Seq, ...drafts: EntryDraft[]): Promise<Entry[]> {
    return this.#internals.appendAfter(newest, ...drafts)
  }

  /** Compacts if the next request would not fit. The gate before every request. */
  async fit(request: { signal?: AbortSignal } = {}): Promise<Report> {
    return this.#compactions.compact('auto', request)
  }

  /**
   * Compacts because a provider reported that the context is too long. If someone else has
   * compacted after `since`, the last entry of the refused request, this compacts only what still
   * doesn't fit.
   */
  async recover(request: { signal?: AbortSignal; since?: Seq } = {}): Promise<Report> {
    return this.#compactions.compact('overflow', request)
  }

  /** Compacts because someone asked for it, however small the context is. */
  async compact(request: CompactRequest = {}): Promise<Report> {
    return this.#compactions.compact('manual', request)
  }

  /**
   * Undoes the newest compaction, whether a summary or a pruning, and returns its entry. Messages
   * after it stay.
   * @throws NothingToUndoError if no compaction is active.
   */
  async undo(): Promise<CompactionEntry> {
    return undo(this.#internals)
  }

  /**
   * Rewinds the session to entry `to`; 0 is its beginning.
   * @throws RefNotFoundError if there is no such entry.
   */
  async rewind(to: Seq): Promise<void> {
    checkRewind(await this.log(), to)
    await this.append({ kind: 'rewind', at: this.now(), to })
    await this.#internals.ready()
  }

  /**
   * Keeps a text through every compaction, word for word.
   * @throws PinBudgetError if pins and rules would exceed their limit.
   */
  async pin(text: string, ref?: Ref): Promise<Seq> {
    return pin(this.#internals, text, ref)
  }

  /** @throws PinNotFoundError if no such pin is active. */
  async unpin(seq: Seq): Promise<void> {
    await unpin(this.#internals, seq)
  }

  /**
   * Removes a text, or what a ref names, from every entry of the log. This is the only operation
   * that overwrites. A text is found however it is written: escaped, encoded, or spread over several
   * messages. The report says which entries changed, what was looked for, and what only looks like
   * it.
   * @throws RefNotFoundError, RedactionError
   */
  async redact(
    what: { text: string } | { ref: Ref },
    request: { signal?: AbortSignal } = {},
  ): Promise<RedactionReport> {
    return redact(this.#internals, what, request.signal)
  }

  /**
   * Opens the session of an agent that this one starts, in the same store and with the same model
   * unless you say otherwise. Each names the other in its log. Until `receive` gets the child's
   * report, every summary of this session says what the child has been asked to do, so that it
   * isn't started twice.
   * @throws InvalidEntryError if the id is this session's own.
   * @example
   * const child = await session.openChild({ id: 'a/review', task: 'Review the parser for bugs' })
   */
  async openChild(options: ChildOptions): Promise<Session> {
    if (options.id === this.id) {
      const expected = 'an id of its own'
      throw new InvalidEntryError({ field: 'id', value: options.id, expected })
    }
    const child = await openSession(childSession(this.#internals.options, options))
    const { inParent, inChild } = childLinks(this.#internals, options)
    const { background } = await this.facts()
    if (background?.get(options.id)?.state !== 'running') await this.append(inParent)
    if (child.context().seq === 0) await child.append(inChild)
    return child
  }

  /**
   * Adds the report of a child. The report stays whole until the model has used it.
   * @example
   * await session.receive(child.id, 'Two bugs: …')
   */
  async receive(
    child: string,
    report: string,
    { failed = false }: { failed?: boolean } = {},
  ): Promise<Entry[]> {
    return this.append(reportDraft(this.#internals, { child, report, failed }))
  }

  /** Aborts the summary being prepared, if any; a finished one stays. */
  async stopPreparing(): Promise<void> {
    await this.#compactions.stopPreparing()
  }

  /** Ends all background work for good, as `await using` does. The session can still be used. */
  async close(): Promise<void> {
    await this.#compactions.close()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  now(): number {
    return this.#internals.now()
  }

  emit(event: SessionEvent): void {
    this.#internals.emit(event)
  }
}

/**
 * Opens a new or existing session.
 * @throws InvalidWindowError if the window is invalid.
 * @example
 * const session = await openSession({ store: memoryStore(), id: 'a', window: { context: 200_000 } })
 */
export async function openSession(options: SessionOptions): Promise<Session> {
  const session = new Session(options)
  await session.sync()
  return session
}
