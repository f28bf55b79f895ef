import { context, trace, type TracerProvider } from '@opentelemetry/api'
import { sessionSpans, type SessionSpans } from './session-spans.ts'
import type { RunStep } from '../../session/loop/loop.ts'
import type { EventSource } from '../../session/events.ts'
import type { Plugin } from '../../session/plugins/plugin.ts'

/** Where the spans go. */
export interface OpenTelemetryOptions {
  /**
   * By default the registered provider; if there is none, nothing is created and nothing is kept.
   */
  tracerProvider?: TracerProvider
  /** `gen_ai.agent.name`: the agent's name. */
  agentName?: string
  /** `gen_ai.provider.name`, such as `anthropic`; by default derived from the model's name. */
  provider?: string
}

/** Creates spans of a session and of the work in its steps. */
export interface Telemetry {
  /** For `openSession({ plugins })`. One is enough for any number of sessions. */
  plugin: Plugin
  /**
   * The same step, run inside the step's span: spans from the provider and the tools become its
   * children if OpenTelemetry has a context manager.
   */
  step: (step: RunStep, session: string) => RunStep
}

/**
 * Traces runs, steps, the model's calls and compactions according to the conventions for generative
 * AI (`gen_ai.*`), with additional attributes under `throughline.*`. They contain no session text.
 * @example
 * const telemetry = openTelemetry({ agentName: 'coder' })
 * const session = await openSession({ ...options, plugins: [telemetry.plugin] })
 * await run({ session, step: telemetry.step(aiSdkStep({ model, tools }), session.id) })
 */
export function openTelemetry(options: OpenTelemetryOptions = {}): Telemetry {
  const { agentName, provider, tracerProvider } = options
  const tracer = () => (tracerProvider ?? trace).getTracer('throughline')
  const bySource = new WeakMap<EventSource, SessionSpans>()
  const running = new Map<string, SessionSpans>()

  function spansOf(source: EventSource): SessionSpans {
    let spans = bySource.get(source)
    if (!spans)
      bySource.set(source, (spans = sessionSpans(source, { tracer, provider, agentName })))
    return spans
  }

  return {
    plugin: {
      name: 'opentelemetry',
      onEvent(event, source) {
        const spans = spansOf(source)
        spans.take(event)
        if (event.type === 'step-started') running.set(source.session, spans)
        else if (event.type === 'step-finished' || event.type === 'step-failed') {
          running.delete(source.session)
        }
      },
    },
    step: (step, session) => (request, stepOptions) =>
      context.with(running.get(session)?.stepContext() ?? context.active(), () =>
        step(request, stepOptions),
      ),
  }
}
