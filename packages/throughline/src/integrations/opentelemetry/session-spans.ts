import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { Attributes, Context, Span, Tracer } from '@opentelemetry/api'
import type { Entry, EntryOf, Usage } from '../../log/entry.ts'
import type { EventSource, SessionEvent } from '../../session/events.ts'
import type { Plan } from '../../compaction/plan/plan.ts'
import type { Attempt, Report } from '../../compaction/report.ts'

export interface SpanOptions {
  tracer: () => Tracer
  /** `gen_ai.provider.name`; by default derived from the model's name. */
  provider: string | undefined
  /** `gen_ai.agent.name`, which is part of the name of a run's span. */
  agentName: string | undefined
}

export interface SessionSpans {
  take: (event: SessionEvent) => void
  /** The current step, for the work done in it. */
  stepContext: () => Context
}

interface Open {
  span: Span
  context: Context
}

/**
 * Creates spans from a session's events: a run, its steps, the model's call in each step,
 * compactions, and the preparation for them, wherever they happen. A call ends when the model's
 * answer is saved, so the time of the tools belongs to the step.
 */
export function sessionSpans(source: EventSource, options: SpanOptions): SessionSpans {
  const { session, model } = source
  const { agentName, provider = providerName(model) } = options
  let run: Open | undefined
  let step: Open | undefined
  let chat: Open | undefined
  let compaction: Open | undefined
  let preparation: Open | undefined

  function open(name: string, kind: SpanKind, within: Open | undefined, own: Attributes): Open {
    const parent = within?.context ?? context.active()
    const attributes = known({ 'gen_ai.conversation.id': session, ...own })
    const span = options.tracer().startSpan(name, { kind, attributes }, parent)
    return { span, context: trace.setSpan(parent, span) }
  }

  function close(opened: Open | undefined, attributes: Attributes = {}): undefined {
    opened?.span.setAttributes(attributes)
    opened?.span.end()
  }

  function fail(opened: Open | undefined, error: unknown): undefined {
    opened?.span.setStatus({ code: SpanStatusCode.ERROR })
    return close(opened, errorAttributes(error))
  }

  function modelAttributes(operation: string): Attributes {
    return {
      'gen_ai.operation.name': operation,
      'gen_ai.provider.name': provider,
      'gen_ai.request.model': model,
    }
  }

  function startStep(number: number, tokens: number): void {
    compaction = close(compaction)
    step = open(`step ${number}`, SpanKind.INTERNAL, run, {
      'throughline.step': number,
      'throughline.tokens.estimated': tokens,
    })
    const name = model === undefined ? 'chat' : `chat ${model}`
    chat = open(name, SpanKind.CLIENT, step, modelAttributes('chat'))
  }

  function answered(entries: readonly Entry[]): void {
    const answer = chat && entries.find(isAnswer)
    if (!answer) return
    chat = close(chat, answerAttributes(answer))
  }

  function endRun(error?: unknown): void {
    compaction = close(compaction)
    // A preparation still in progress ends with its run.
    preparation = close(preparation)
    chat = error === undefined ? close(chat) : fail(chat, error)
    step = error === undefined ? close(step) : fail(step, error)
    run = error === undefined ? close(run) : fail(run, error)
  }

  function take(event: SessionEvent): void {
    switch (event.type) {
      case 'run-started': {
        // A span that somebody else left open.
        endRun()
        const name = agentName === undefined ? 'invoke_agent' : `invoke_agent ${agentName}`
        run = open(name, SpanKind.INTERNAL, undefined, {
          ...modelAttributes('invoke_agent'),
          'gen_ai.agent.name': agentName,
        })
        return
      }
      case 'step-started':
        return startStep(event.step, event.tokens)
      case 'appended':
        return answered(event.entries)
      case 'step-finished':
        chat = close(chat, usageAttributes(event.usage))
        step = close(step, { 'throughline.finish': event.finish })
        return
      case 'step-failed':
        chat = fail(chat, event.error)
        step = fail(step, event.error)
        return
      case 'overflow':
        run?.span.addEvent('throughline.overflow', known({ 'throughline.limit': event.limit }))
        return
      case 'compaction-started':
        // A compaction that lost against another writer plans again.
        compaction ??= open('throughline.compaction', SpanKind.INTERNAL, run, {})
        compaction.span.setAttributes(planAttributes(event.plan))
        return
      case 'compaction-finished':
      case 'compaction-skipped':
        compaction = close(compaction, reportAttributes(event.report))
        return
      case 'compaction-failed':
        compaction ??= open('throughline.compaction', SpanKind.INTERNAL, run, {})
        compaction = fail(compaction, event.error)
        return
      case 'preparation-started':
        close(preparation)
        preparation = open('throughline.preparation', SpanKind.INTERNAL, run, {})
        return
      case 'preparation-finished':
        preparation = close(preparation, preparationAttributes(event.attempts))
        return
      case 'preparation-failed':
        preparation?.span.setAttributes(preparationAttributes(event.attempts))
        preparation = fail(preparation, event.error)
        return
      case 'preparation-discarded': {
        const discarded = { 'throughline.discarded': event.reason }
        run?.span.addEvent('throughline.preparation_discarded', discarded)
        preparation = close(preparation, discarded)
        return
      }
      case 'plugin-failed': {
        const { plugin, hook } = event.error
        run?.span.addEvent('throughline.plugin_failed', {
          'throughline.plugin': plugin,
          'throughline.hook': hook,
        })
        return
      }
      case 'stopped':
        run?.span.setAttribute('throughline.stop_reason', event.reason)
        return endRun()
      case 'run-failed':
        return endRun(event.error)
    }
  }

  return { take, stepContext: () => step?.context ?? run?.context ?? context.active() }
}

function isAnswer(entry: Entry): entry is EntryOf<'message'> {
  return entry.kind === 'message' && entry.message.role === 'assistant'
}

function answerAttributes({ usage, finish, model }: EntryOf<'message'>): Attributes {
  return known({
    ...usageAttributes(usage),
    'gen_ai.response.finish_reasons': finish && [finish],
    'gen_ai.response.model': model,
  })
}

// The provider names of the conventions, by the beginnings of model names.
const names: readonly (readonly [beginning: string, provider: string])[] = [
  ['claude', 'anthropic'],
  ['gpt', 'openai'],
  ['chatgpt', 'openai'],
  ['o1', 'openai'],
  ['o3', 'openai'],
  ['o4', 'openai'],
  ['gemini', 'gcp.gemini'],
  ['mistral', 'mistral_ai'],
  ['codestral', 'mistral_ai'],
  ['magistral', 'mistral_ai'],
  ['devstral', 'mistral_ai'],
  ['grok', 'x_ai'],
  ['deepseek', 'deepseek'],
  ['command', 'cohere'],
]

/** Who makes a model of this name; `undefined` if the name doesn't show it. */
function providerName(model: string | undefined): string | undefined {
  if (model === undefined) return undefined
  return names.find(([beginning]) => model.startsWith(beginning))?.[1]
}

/** The attributes that have a known value. */
function known(attributes: Attributes): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined))
}

/** The tokens of a model's answer. Input includes cached tokens, as the conventions require. */
function usageAttributes(usage: Usage | undefined): Attributes {
  if (!usage) return {}
  return known({
    'gen_ai.usage.input_tokens': usage.inputTokens,
    'gen_ai.usage.output_tokens': usage.outputTokens,
    'gen_ai.usage.cache_read.input_tokens': usage.cacheReadTokens,
    'gen_ai.usage.cache_creation.input_tokens': usage.cacheWriteTokens,
  })
}

function planAttributes({ action, trigger, measurement, budget }: Plan): Attributes {
  return {
    'throughline.compaction.trigger': trigger,
    'throughline.compaction.plan': action,
    'throughline.compaction.tokens.before': measurement.tokens,
    'throughline.window.usable': budget.usable,
  }
}

function reportAttributes(report: Report): Attributes {
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

function preparationAttributes(attempts: readonly Attempt[]): Attributes {
  return {
    'throughline.preparation.attempts': attempts.length,
    'throughline.preparation.calls': attempts.flatMap(({ calls }) => calls).length,
  }
}

/** The kind of an error, and none of its text, which may quote the session. */
function errorAttributes(error: unknown): Attributes {
  return { 'error.type': errorType(error) }
}

function errorType(error: unknown): string {
  if (!(error instanceof Error)) return '_OTHER'
  const code = 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^[\w.-]{1,60}$/.test(code) ? code : error.name
}
