import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'

/** What a span is told at its end. */
export type SpanFacts = Readonly<Record<string, string | number | undefined>>

/**
 * Does a piece of work in a span of OpenTelemetry, of whatever SDK the process has loaded; without
 * one it costs nothing. No attribute is content.
 */
export async function inSpan<Result>(
  name: string,
  begin: SpanFacts,
  work: (tell: (facts: SpanFacts) => void) => Promise<Result>,
): Promise<Result> {
  const tracer = trace.getTracer('throughline-gateway')
  const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes: { ...begin } })
  try {
    return await context.with(trace.setSpan(context.active(), span), () =>
      work((facts) => span.setAttributes({ ...facts })),
    )
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR })
    throw error
  } finally {
    span.end()
  }
}
