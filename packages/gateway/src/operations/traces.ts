import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { Answered } from '../server/answer-request.ts'
import type { IncomingHttpHeaders } from 'node:http'

export type SpanFacts = Readonly<Record<string, string | number | undefined>>

/**
 * Does a piece of work in a span of OpenTelemetry, of whatever SDK the process has loaded; without
 * one it costs nothing. It belongs to the trace that the request names. No attribute is content.
 */
export async function inSpan<Result>(
  { name, headers, begin }: { name: string; headers: IncomingHttpHeaders; begin: SpanFacts },
  work: (tell: (facts: SpanFacts) => void) => Promise<Result>,
): Promise<Result> {
  const tracer = trace.getTracer('throughline-gateway')
  const from = propagation.extract(context.active(), headers)
  const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes: { ...begin } }, from)
  try {
    return await context.with(trace.setSpan(from, span), () =>
      work((facts) => span.setAttributes({ ...facts })),
    )
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR })
    throw error
  } finally {
    span.end()
  }
}

/** What was asked of a model, in the names of OpenTelemetry’s conventions for generative AI. */
export function modelFacts({ wire, model, usage, status }: Answered): SpanFacts {
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': wire === undefined ? undefined : providers[wire],
    'gen_ai.request.model': model,
    'gen_ai.usage.input_tokens': usage?.inputTokens,
    'gen_ai.usage.output_tokens': usage?.outputTokens,
    'error.type': status >= 400 ? String(status) : undefined,
  }
}

const providers: Readonly<Record<string, string>> = {
  'openai-chat': 'openai',
  'openai-responses': 'openai',
  anthropic: 'anthropic',
  gemini: 'gcp.gemini',
}
