import { ThroughlineError } from '../log/throughline-error.ts'
import type { ModelTokens } from '../tokens/units.ts'
import type { ObservationDraft } from '../log/entry.ts'
import type { SummaryCall } from './summary/with-model/summarizer.ts'

/** What fills a window that no compaction can empty, in tokens of the model. */
export interface Floor {
  system: ModelTokens
  tools: ModelTokens
  pins: ModelTokens
  rules: ModelTokens
  request: ModelTokens
  total: ModelTokens
}

/**
 * Even the smallest possible context doesn't fit. Usually thrown before any call is made. If it is
 * thrown after attempts that made nothing smaller, `observations` describe them; append these to
 * the log.
 */
export class ContextFloorError extends ThroughlineError<'CONTEXT_FLOOR'> {
  static override readonly code = 'CONTEXT_FLOOR'

  readonly floor: Floor
  /** The most tokens that the request may have, as the model counts them. */
  readonly limit: ModelTokens
  readonly window: ModelTokens
  readonly observations: readonly ObservationDraft[]

  constructor({
    floor,
    limit,
    window,
    observations = [],
  }: {
    floor: Floor
    limit: ModelTokens
    window: ModelTokens
    observations?: readonly ObservationDraft[]
  }) {
    super(ContextFloorError.code, floorMessage(floor, limit, window))
    this.floor = floor
    this.limit = limit
    this.window = window
    this.observations = observations
  }
}

function withThousands(tokens: number): string {
  return tokens.toLocaleString('en-US')
}

function floorMessage(floor: Floor, limit: number, window: number): string {
  const parts = (
    [
      ['the system prompt', floor.system],
      ['the tools', floor.tools],
      ['pins', floor.pins],
      ['rules', floor.rules],
      ['the newest human message', floor.request],
    ] as const
  )
    .filter(([, tokens]) => tokens > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([name, tokens]) => `${name} ${withThousands(tokens)}`)
  const named = parts.length === 0 ? '' : ` (including ${parts.join(', ')})`
  return `The context cannot be made to fit: it needs at least ${withThousands(floor.total)} tokens${named} and there is room for ${withThousands(limit)} in a window of ${withThousands(window)}. Use a larger window${parts.length === 0 ? '' : ', or shorten the part that is named first'}.`
}

/** Pins and rules together would exceed their share of the window. */
export class PinBudgetError extends ThroughlineError<'PIN_BUDGET'> {
  static override readonly code = 'PIN_BUDGET'

  /** In tokens of the model. */
  readonly tokens: ModelTokens
  readonly limit: ModelTokens

  constructor({ tokens, limit }: { tokens: ModelTokens; limit: ModelTokens }) {
    super(
      PinBudgetError.code,
      `With this pin, pins and rules would take ${tokens} tokens, and their limit is ${limit}. Unpin something first, or pin less.`,
    )
    this.tokens = tokens
    this.limit = limit
  }
}

/**
 * A summarizer produced no answer. `calls` lists the requests it made anyway, and `cause` says why
 * it failed.
 */
export class SummaryFailedError extends ThroughlineError<'SUMMARY_FAILED'> {
  static override readonly code = 'SUMMARY_FAILED'

  readonly calls: readonly SummaryCall[]

  constructor(
    message: string,
    { calls, cause }: { calls: readonly SummaryCall[]; cause?: unknown },
  ) {
    super(SummaryFailedError.code, message, { cause })
    this.calls = calls
  }
}

/** Who was waited for, and by which name it goes. */
export interface Waited {
  who: 'summarizer' | 'hook' | 'store'
  name: string
}

const settings: Record<Waited['who'], string> = {
  summarizer: 'summaryTimeout',
  hook: 'hookTimeout',
  store: 'storeTimeout',
}

const afterSilence: Record<Waited['who'], string> = {
  summarizer: 'The summary was made without it.',
  hook: 'The compaction went on without its answer.',
  store: 'It may still write what it was given: open the session again to see.',
}

/** A summarizer, a plugin's hook or a store didn't answer in time. */
export class TimeLimitError extends ThroughlineError<'TIME_LIMIT'> {
  static override readonly code = 'TIME_LIMIT'

  readonly who: Waited['who']
  /** The name of the summarizer, the plugin and its hook, or the store's method. */
  readonly waitedFor: string
  /** In milliseconds. */
  readonly limit: number

  constructor({ who, name, limit }: Waited & { limit: number }) {
    super(
      TimeLimitError.code,
      `The ${who} ${JSON.stringify(name)} did not answer within ${limit / 1000} seconds. ${afterSilence[who]} If it needs longer, raise ${settings[who]} in the policy.`,
    )
    this.who = who
    this.waitedFor = name
    this.limit = limit
  }
}

/**
 * A plugin vetoed a compaction that the next request needs in order to fit. Nothing has changed.
 */
export class CompactionVetoedError extends ThroughlineError<'COMPACTION_VETOED'> {
  static override readonly code = 'COMPACTION_VETOED'

  /** The plugin, and its reason. */
  readonly plugin: string
  readonly reason: string
  /** Tokens of the next request, and the most that it may have, as the model counts them. */
  readonly tokens: ModelTokens
  readonly limit: ModelTokens

  constructor({
    plugin,
    reason,
    tokens,
    limit,
  }: Omit<CompactionVetoedError, keyof Error | 'code'>) {
    super(
      CompactionVetoedError.code,
      `The plugin ${JSON.stringify(plugin)} vetoed a compaction: ${reason}. The context holds about ${withThousands(tokens)} tokens, there is room for ${withThousands(limit)}, and nothing was changed. Let the plugin allow it, or use a larger window.`,
    )
    this.plugin = plugin
    this.reason = reason
    this.tokens = tokens
    this.limit = limit
  }
}
