import { checkRewind } from '../log/rewound.ts'
import { latest, type Latest } from '../log/latest.ts'
import { redactRef, redactText } from '../log/redaction/redaction.ts'
import { planCompaction, type Plan, type PlanInput, type Trigger } from '../compaction/plan/plan.ts'
import { defaultPolicy, policyFor, type Policy } from '../compaction/policy.ts'
import { renderContext } from '../compaction/render/render.ts'
import { summaryRoleOf } from '../compaction/render/summary-block.ts'
import { abortable } from '../compaction/abortable.ts'
import { Background } from './compacting/background.ts'
import { compactSession, type Compacting } from './compacting/compact-session.ts'
import { NothingToUndoError } from './errors.ts'
import { oneAtATime } from './compacting/one-at-a-time.ts'
import { checkPin, checkUnpin } from './operations/pin.ts'
import { newestCompaction, type CompactionEntry } from './compacting/newest-compaction.ts'
import { readRefIn } from './recall/read-ref.ts'
import { redactedSeqs, rewritingOf } from './operations/redaction.ts'
import { pluginFailures, type PluginFailures } from './plugins/plugin-failures.ts'
import { tellPlugins } from './plugins/tell-plugins.ts'
import { withPlugins } from './plugins/with-plugins.ts'
import { Sizes } from './compacting/sizes.ts'
import { StoredLog } from './stored-log.ts'
import { Views } from './views.ts'
import type { Entry, EntryDraft, EntryOf, Ref, Seq } from '../log/entry.ts'
import type { Message, Part, UserMessage } from '../log/message.ts'
import type { Chronological } from '../log/order.ts'
import type { Context } from '../log/context.ts'
import type { Budget } from '../compaction/plan/budget.ts'
import type { Measurement, RequestFrame } from '../compaction/measure/measure.ts'
import type { Counter } from '../tokens/counter.ts'
import { modelTokens, type EstimatedTokens } from '../tokens/units.ts'
import type { Report } from '../compaction/report.ts'
import type { Facts } from '../facts/facts.ts'
import type { Window } from '../tokens/window.ts'
import type { EventSource, SessionEvent } from './events.ts'
import type { CompactRequest, SessionOptions } from './options.ts'

export type { CompactRequest, SessionOptions } from './options.ts'

/**
 * One session of an agent: its log in a store, and the views over it. Compactions wait for
 * each other, so that one overflow is one compaction.
 */
export class Session {
  readonly id: string
  readonly #options: SessionOptions
  readonly #policy: Policy
  readonly #sizes: Sizes
  readonly #stored: StoredLog
  readonly #views: Views
  readonly #source: EventSource
  readonly #pluginFailures: PluginFailures
  readonly #compacting: Compacting
  readonly #background: Background
  readonly #oneAtATime = oneAtATime()

  constructor(options: SessionOptions) {
    this.id = options.id
    this.#options = options
    this.#source = { session: options.id, model: options.model }
    this.#pluginFailures = pluginFailures((error) => this.emit({ type: 'plugin-failed', error }))
    this.#policy = withPlugins(
      policyFor(options.policy ?? defaultPolicy, options.model),
      options.plugins ?? [],
      {
        failed: this.#pluginFailures.add,
        fits: (message) => this.#sizes.inModelTokens(message) <= this.budget().keep / 4,
      },
    )
    const { directories } = options
    const { lenses, breaker } = this.#policy
    this.#stored = new StoredLog(options.store, options.id, breaker.failures)
    this.#views = new Views(this.#stored, { lenses, directories })
    this.#sizes = new Sizes(options, this.#policy, this.#views)
    this.#compacting = {
      options,
      stored: this.#stored,
      fits: () => this.#sizes.fits(),
      facts: () => this.facts(),
      factsInPieces: (signal) => this.#views.factsInPieces(signal),
      planInput: (trigger, facts) => this.#planInput(trigger, facts),
      circuitBreaker: () => this.#views.circuitBreaker(),
      announce: () => this.#announce(),
      emit: (event) => this.emit(event),
      pluginFailures: this.#pluginFailures,
      now: () => this.now(),
    }
    this.#background = new Background(this.#compacting)
  }

  /** The whole log, as it was last read. */
  async log(): Promise<Chronological> {
    return this.#stored.whole()
  }

  get policy(): Policy {
    return this.#policy
  }

  get frame(): RequestFrame {
    return this.#options
  }

  /** The model's window, or the smaller one that its provider's errors have taught. */
  get window(): Window {
    return this.#sizes.window
  }

  get counter(): Counter {
    return this.#sizes.counter
  }

  context(): Context {
    return this.#views.context()
  }

  /** What the user sees. */
  async history(): Promise<readonly EntryOf<'message'>[]> {
    return this.#views.history()
  }

  /** The newest of each by seq, in the whole log: also what a rewind has taken back. */
  async latest(): Promise<Latest> {
    return latest(await this.log())
  }

  async facts(): Promise<Facts> {
    return this.#views.facts()
  }

  /** The messages of the next request. */
  messages(): Message[] {
    return renderContext(this.context().items, summaryRoleOf(this.#policy)).messages.slice()
  }

  /** The size of the next request, in tokens of the model. */
  measure(): Measurement {
    return this.#sizes.measure()
  }

  /** The same as our counter estimates it, as if nothing had been learned of the model. */
  estimate(): EstimatedTokens {
    return this.#sizes.estimate()
  }

  budget(): Budget {
    return this.#sizes.budget()
  }

  /** What a compaction would do now; nothing happens. */
  async plan(trigger: Trigger = 'manual'): Promise<Plan> {
    return planCompaction(this.#planInput(trigger, await this.facts()))
  }

  /**
   * Reads back what a ref names, as it was first said.
   * @throws RefNotFoundError
   */
  async read(ref: string): Promise<Message | Part> {
    return readRefIn(this.#options.store, this.id, ref)
  }

  /** Reads what others have appended meanwhile. */
  async sync(): Promise<void> {
    await this.#stored.sync()
  }

  /** Appends a message of the human. */
  async say(content: UserMessage['content']): Promise<Entry[]> {
    const message = { role: 'user', content } as const
    return this.append({ kind: 'message', at: this.now(), message, origin: 'human' })
  }

  async append(...drafts: EntryDraft[]): Promise<Entry[]> {
    return this.#appended(await this.#stored.append(drafts))
  }

  /** Compacts if the next request would not fit. The gate before every request. */
  async fit(request: { signal?: AbortSignal } = {}): Promise<Report> {
    return this.#compact('auto', request)
  }

  /**
   * Compacts because a provider said that the context is too long. Where someone has compacted
   * `since` the entry that the refused request ended with, only what still does not fit.
   */
  async recover(request: { signal?: AbortSignal; since?: Seq } = {}): Promise<Report> {
    return this.#compact('overflow', request)
  }

  /** Compacts because someone asked for it, however small the context is. */
  async compact(request: CompactRequest = {}): Promise<Report> {
    return this.#compact('manual', request)
  }

  /**
   * Takes the newest compaction back, be it a summary or a pruning: the entry that it gives. What
   * was said after it stays.
   * @throws NothingToUndoError if none is in force.
   */
  async undo(): Promise<CompactionEntry> {
    await this.sync()
    const compaction = newestCompaction(this.#stored.recent, this.context())
    if (!compaction) throw new NothingToUndoError({ session: this.id })
    const { seq } = compaction
    await this.append({ kind: 'rewind', at: this.now(), to: seq - 1, resume: seq + 1 })
    return compaction
  }

  /**
   * Goes back to what the session was at `to`; 0 is its beginning.
   * @throws RefNotFoundError if there is no such entry.
   */
  async rewind(to: Seq): Promise<void> {
    checkRewind(await this.log(), to)
    await this.append({ kind: 'rewind', at: this.now(), to })
  }

  /**
   * Keeps a text through every compaction, word for word.
   * @throws PinBudgetError if pins and rules would hold more than they may.
   */
  async pin(text: string, ref?: Ref): Promise<Seq> {
    const limit = modelTokens(this.#policy.standing(this.budget().usable))
    checkPin(text, this.context(), await this.facts(), this.counter, limit)
    const [entry] = await this.append({ kind: 'pin', at: this.now(), text, ...(ref && { ref }) })
    return (entry as Entry).seq
  }

  /** @throws PinNotFoundError if no such pin is in force. */
  async unpin(pin: Seq): Promise<void> {
    checkUnpin(pin, this.id, this.context())
    await this.append({ kind: 'unpin', at: this.now(), pin })
  }

  /**
   * Takes a text, or what a ref names, out of every entry of the log: the one thing that
   * overwrites. Says which entries it changed.
   * @throws RefNotFoundError, RedactionError
   */
  async redact(what: { text: string } | { ref: Ref }): Promise<Seq[]> {
    const change = 'text' in what ? redactText(what.text) : redactRef(await this.log(), what.ref)
    const note = await this.#stored.redact(rewritingOf(change, this.now()))
    if (!note) return []
    this.#appended([note])
    return redactedSeqs(note)
  }

  /** Aborts the summary that is being prepared, if one is; one that is ready stays. */
  async stopPreparing(): Promise<void> {
    await this.#background.stop()
  }

  /** Ends what goes on beside the session, for good, as `await using` does. It can still be used. */
  async close(): Promise<void> {
    await this.#background.close()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  now(): number {
    return (this.#options.now ?? Date.now)()
  }

  emit(event: SessionEvent): void {
    this.#options.onEvent?.(event)
    const { plugins = [] } = this.#options
    tellPlugins(plugins, event, this.#source, this.#pluginFailures.add)
  }

  #announce(): void {
    const measurement = this.measure()
    const { usable } = this.budget()
    this.emit({ type: 'measured', measurement, usable })
  }

  #appended(entries: Entry[]): Entry[] {
    this.emit({ type: 'appended', entries })
    return entries
  }

  #planInput(trigger: Trigger, facts: Facts): PlanInput {
    return {
      log: this.#stored.recent,
      context: this.context(),
      facts: () => facts,
      frame: this.frame,
      window: this.window,
      policy: this.#policy,
      counter: this.counter,
      trigger,
    }
  }

  /** One at a time; whoever is aborted does not wait for those before. */
  #compact(trigger: Trigger, request: CompactRequest & { since?: Seq }): Promise<Report> {
    const asked = { since: this.context().seq, ...request, trigger }
    return abortable(
      this.#oneAtATime(() => compactSession(this.#compacting, this.#background, asked)),
      request.signal,
    )
  }
}

/**
 * Opens a session, new or not.
 * @throws InvalidWindowError if the window is none.
 * @example
 * const session = await openSession({ store: memoryStore(), id: 'a', window: { context: 200_000 } })
 */
export async function openSession(options: SessionOptions): Promise<Session> {
  const session = new Session(options)
  await session.sync()
  return session
}
