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
 * Not even the least context fits. Thrown before any call is made, unless it is no smaller for all
 * that has been tried: then `observations` say what was tried, and belong in the log.
 */
export class ContextFloorError extends ThroughlineError<'CONTEXT_FLOOR'> {
  readonly floor: Floor
  /** Tokens of the model that there are for the request. */
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
    super('CONTEXT_FLOOR', floorMessage(floor, limit, window))
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
  const named = parts.length === 0 ? '' : `, ${parts.join(', ')} among them,`
  return `The context cannot be made to fit: at least ${withThousands(floor.total)} tokens are needed${named} and there is room for ${withThousands(limit)} of a window of ${withThousands(window)}. Use a larger window${parts.length === 0 ? '' : ', or shorten what is named first'}.`
}

/** Pins and rules together would fill more of the window than they may. */
export class PinBudgetError extends ThroughlineError<'PIN_BUDGET'> {
  /** In tokens of the model. */
  readonly tokens: ModelTokens
  readonly limit: ModelTokens

  constructor({ tokens, limit }: { tokens: ModelTokens; limit: ModelTokens }) {
    super(
      'PIN_BUDGET',
      `This pin would bring pins and rules to ${tokens} tokens, and they may hold ${limit}. Unpin something first, or pin less.`,
    )
    this.tokens = tokens
    this.limit = limit
  }
}

/** A summarizer came to no answer; `calls` is what it has asked all the same, `cause` why. */
export class SummaryFailedError extends ThroughlineError<'SUMMARY_FAILED'> {
  readonly calls: readonly SummaryCall[]

  constructor(
    message: string,
    { calls, cause }: { calls: readonly SummaryCall[]; cause?: unknown },
  ) {
    super('SUMMARY_FAILED', message, { cause })
    this.calls = calls
  }

  static override isInstance(error: unknown): error is SummaryFailedError {
    return ThroughlineError.isInstance(error) && error.code === 'SUMMARY_FAILED'
  }
}

/** A plugin forbade a compaction without which the next request does not fit. Nothing has changed. */
export class CompactionVetoedError extends ThroughlineError<'COMPACTION_VETOED'> {
  /** Who forbade it, and why. */
  readonly plugin: string
  readonly reason: string
  /** Tokens of the next request, as the model counts them, and what there is for it. */
  readonly tokens: ModelTokens
  readonly limit: ModelTokens

  constructor({
    plugin,
    reason,
    tokens,
    limit,
  }: Omit<CompactionVetoedError, keyof Error | 'code'>) {
    super(
      'COMPACTION_VETOED',
      `The plugin ${JSON.stringify(plugin)} forbade a compaction: ${reason}. The context holds about ${withThousands(tokens)} tokens, there is room for ${withThousands(limit)}, and nothing was changed. Let the plugin allow it, or use a larger window.`,
    )
    this.plugin = plugin
    this.reason = reason
    this.tokens = tokens
    this.limit = limit
  }
}
