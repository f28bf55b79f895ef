import { ThroughlineError } from '../log/throughline-error.ts'
import type { ObservationDraft } from '../log/entry.ts'
import type { SummaryCall } from './summary/with-model/summarizer.ts'

/** What fills a window and can't be compacted, in tokens. */
export interface Floor {
  system: number
  tools: number
  pins: number
  rules: number
  request: number
  total: number
}

/**
 * Even the smallest possible context doesn't fit. Usually thrown before any call is made. If it is
 * thrown after attempts that made nothing smaller, `observations` describe them; append these to
 * the log.
 */
export class ContextFloorError extends ThroughlineError<'CONTEXT_FLOOR'> {
  static override readonly code = 'CONTEXT_FLOOR'

  readonly floor: Floor
  /** How many tokens are available for the request. */
  readonly limit: number
  readonly window: number
  readonly observations: readonly ObservationDraft[]

  constructor({
    floor,
    limit,
    window,
    observations = [],
  }: {
    floor: Floor
    limit: number
    window: number
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

  readonly tokens: number
  readonly limit: number

  constructor({ tokens, limit }: { tokens: number; limit: number }) {
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

/**
 * A plugin vetoed a compaction that the next request needs in order to fit. Nothing has changed.
 */
export class CompactionVetoedError extends ThroughlineError<'COMPACTION_VETOED'> {
  static override readonly code = 'COMPACTION_VETOED'

  /** The plugin, and its reason. */
  readonly plugin: string
  readonly reason: string
  /** The size of the next request and its limit, in tokens. */
  readonly tokens: number
  readonly limit: number

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
