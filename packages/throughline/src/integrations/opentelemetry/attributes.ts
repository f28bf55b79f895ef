import type { Attributes } from '@opentelemetry/api'
import type { Plan } from '../../compaction/plan/plan.ts'
import type { Attempt, Report } from '../../compaction/report.ts'
import type { Usage } from '../../log/entry.ts'

/** The attributes that have a known value. */
export function known(attributes: Attributes): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined))
}

/** The tokens of a model's answer. Input includes cached tokens, as the conventions require. */
export function usageAttributes(usage: Usage | undefined): Attributes {
  if (!usage) return {}
  return known({
    'gen_ai.usage.input_tokens': usage.inputTokens,
    'gen_ai.usage.output_tokens': usage.outputTokens,
    'gen_ai.usage.cache_read.input_tokens': usage.cacheReadTokens,
    'gen_ai.usage.cache_creation.input_tokens': usage.cacheWriteTokens,
  })
}

export function planAttributes({ action, trigger, measurement, budget }: Plan): Attributes {
  return {
    'throughline.compaction.trigger': trigger,
    'throughline.compaction.plan': action,
    'throughline.compaction.tokens.before': measurement.tokens,
    'throughline.window.usable': budget.usable,
  }
}

export function reportAttributes(report: Report): Attributes {
  const { action, reason, rung, summarizer, after, fits, attempts, spent, prepared } = report
  return known({
    'throughline.compaction.action': action,
    'throughline.compaction.reason': reason,
    'throughline.compaction.rung': rung,
    'throughline.compaction.summarizer': summarizer,
    'throughline.compaction.tokens.after': after,
    'throughline.compaction.fits': fits,
    'throughline.compaction.attempts': attempts.length,
    'throughline.compaction.prepared': prepared,
    'throughline.compaction.calls': spent?.calls ?? 0,
    'throughline.compaction.input_tokens': spent?.inputTokens,
    'throughline.compaction.output_tokens': spent?.outputTokens,
    'throughline.compaction.cost': spent?.cost,
  })
}

export function preparationAttributes(attempts: readonly Attempt[]): Attributes {
  return {
    'throughline.preparation.attempts': attempts.length,
    'throughline.preparation.calls': attempts.flatMap(({ calls }) => calls).length,
  }
}

/** The kind of an error, and none of its text, which may quote the session. */
export function errorAttributes(error: unknown): Attributes {
  return { 'error.type': errorType(error) }
}

function errorType(error: unknown): string {
  if (!(error instanceof Error)) return '_OTHER'
  const code = 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^[\w.-]{1,60}$/.test(code) ? code : error.name
}
