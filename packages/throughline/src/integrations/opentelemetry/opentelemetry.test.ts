import { AsyncLocalStorage } from 'node:async_hooks'
import { readFileSync } from 'node:fs'
import { context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { Context, ContextManager } from '@opentelemetry/api'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace-base'
import { describe, expect, it } from 'vitest'
import { human, step } from '../../testing/generate/build.ts'
import { agent, lines, type Agent, type AgentOptions } from '../../testing/generate/agent.ts'
import { scriptedSummarizer } from '../../testing/scripted/scripted-summarizer.ts'
import { memoryStore } from '../../stores/memory.ts'
import { run } from '../../session/loop/loop.ts'
import { openSession } from '../../session/session.ts'
import type { SessionEvent } from '../../session/events.ts'
import { openTelemetry } from './index.ts'
import type { OpenTelemetryOptions } from './open-telemetry.ts'

interface Traced extends Agent {
  spans: () => ReadableSpan[]
}

/** An agent that is traced into memory: nothing is registered for the whole process. */
async function traced(
  options: Omit<AgentOptions, 'plugins'>,
  telemetryOptions: OpenTelemetryOptions = {},
): Promise<Traced> {
  const { tracerProvider, spans } = memoryProvider()
  const telemetry = openTelemetry({ tracerProvider, ...telemetryOptions })
  const made = await agent({
    model: 'claude-sonnet-4-5',
    ...options,
    plugins: [telemetry.plugin],
  })
  return { ...made, spans }
}

function memoryProvider() {
  const exporter = new InMemorySpanExporter()
  const tracerProvider = new BasicTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(exporter)],
  })
  return { tracerProvider, spans: () => exporter.getFinishedSpans() }
}

/** What hosts register to know, across awaits, within what they are. */
function contextManager(): ContextManager {
  const storage = new AsyncLocalStorage<Context>()
  const manager: ContextManager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (within, work, self, ...args) => storage.run(within, () => work.apply(self, args)),
    bind: (_, target) => target,
    enable: () => manager,
    disable: () => manager,
  }
  return manager
}

function named(spans: readonly ReadableSpan[], name: string): ReadableSpan {
  const found = spans.find((span) => span.name === name)
  if (!found) throw new Error(`no span ${name} among ${spans.map((span) => span.name).join(', ')}`)
  return found
}

function parentOf(spans: readonly ReadableSpan[], span: ReadableSpan): string | undefined {
  const id = span.parentSpanContext?.spanId
  return spans.find((each) => each.spanContext().spanId === id)?.name
}

describe('openTelemetry', () => {
  it('makes a span of a run, with its steps in it and the model’s call in each', async () => {
    const { session, run, spans } = await traced(
      { script: [{ calls: [{ name: 'read' }] }, { text: 'Done.' }] },
      { agentName: 'coder' },
    )
    await session.say('Read it.')
    await run()
    const finished = spans()
    expect(finished.map(({ name }) => name)).toEqual([
      'chat claude-sonnet-4-5',
      'step 1',
      'chat claude-sonnet-4-5',
      'step 2',
      'invoke_agent coder',
    ])
    expect(finished.map((span) => parentOf(finished, span))).toEqual([
      'step 1',
      'invoke_agent coder',
      'step 2',
      'invoke_agent coder',
      undefined,
    ])
    const [chat] = finished
    expect(chat?.kind).toBe(SpanKind.CLIENT)
    expect(chat?.attributes).toEqual({
      'gen_ai.conversation.id': 'agent',
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'anthropic',
      'gen_ai.request.model': 'claude-sonnet-4-5',
      'gen_ai.response.model': expect.any(String),
      'gen_ai.response.finish_reasons': ['tool-calls'],
      'gen_ai.usage.input_tokens': expect.any(Number),
      'gen_ai.usage.output_tokens': expect.any(Number),
    })
    expect(named(finished, 'invoke_agent coder')).toMatchObject({
      kind: SpanKind.INTERNAL,
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.name': 'coder',
        'throughline.stop_reason': 'finished',
      },
    })
  })

  it('ends the model’s call when it has answered, and the step when its tools have run', async () => {
    const { session, run, spans, events } = await traced({
      script: [{ calls: [{ name: 'read' }] }, { text: 'Done.' }],
    })
    await session.say('Read it.')
    await run()
    const ended = spans().map(({ name }) => name)
    expect(ended.indexOf('chat claude-sonnet-4-5')).toBeLessThan(ended.indexOf('step 1'))
    expect(events.filter(({ type }) => type === 'step-finished')).toHaveLength(2)
  })

  it('makes a span of a compaction, with what it came to and what it took', async () => {
    const { session, run, spans } = await traced({
      script: [{ text: 'Done.' }],
      summarizer: scriptedSummarizer('empty', 'good'),
      window: { context: 20_000 },
    })
    await session.say(lines('first', 7_000))
    await session.append({
      kind: 'message',
      at: 0,
      origin: 'model',
      finish: 'stop',
      message: { role: 'assistant', content: lines('answer', 9_000) },
    })
    await session.say('And now?')
    await run()
    const finished = spans()
    const compaction = named(finished, 'throughline.compaction')
    expect(parentOf(finished, compaction)).toBe('invoke_agent')
    expect(compaction.status.code).toBe(SpanStatusCode.UNSET)
    expect(compaction.attributes).toMatchObject({
      'throughline.compaction.trigger': 'auto',
      'throughline.compaction.plan': 'summarize',
      'throughline.compaction.action': 'summary',
      'throughline.compaction.rung': 'model',
      'throughline.compaction.summarizer': 'scripted',
      'throughline.compaction.attempts': 2,
      'throughline.compaction.calls': 2,
      'throughline.compaction.input_tokens': 2000,
      'throughline.compaction.fits': true,
    })
    const { attributes } = compaction
    expect(Number(attributes['throughline.compaction.tokens.after'])).toBeLessThan(
      Number(attributes['throughline.compaction.tokens.before']),
    )
  })

  it('has an overflow as an event of the run, and the refused step as a failed one', async () => {
    const { session, run, spans } = await traced({
      script: () => ({ text: 'Done.' }),
      rules: { window: 8_000 },
    })
    await session.append(
      human('Read it.'),
      ...Array.from({ length: 12 }, (_, n) =>
        step(`c${n}`, 'read', { path: `${n}.ts` }, lines(`f${n}`, 900)),
      ).flat(),
    )
    await run()
    const finished = spans()
    const steps = finished.filter(({ name }) => name === 'step 1')
    expect(steps.map(({ status }) => status.code)).toEqual([
      SpanStatusCode.ERROR,
      SpanStatusCode.UNSET,
    ])
    expect(steps[0]?.attributes['error.type']).toEqual(expect.any(String))
    const overflow = named(finished, 'invoke_agent').events.map(({ name, attributes }) => [
      name,
      attributes,
    ])
    expect(overflow).toEqual([['throughline.overflow', { 'throughline.limit': 8_000 }]])
    expect(
      named(finished, 'throughline.compaction').attributes['throughline.compaction.trigger'],
    ).toBe('overflow')
  })

  it('ends every span of a run that fails, and says by which error', async () => {
    const { session, run, spans } = await traced({
      script: () => {
        throw Object.assign(new Error('the secret key is 12345'), { code: 'no_luck' })
      },
      step: { maxRetries: 0 },
    })
    await session.say('Go.')
    await expect(run()).rejects.toThrow()
    const finished = spans()
    expect(finished.map(({ name }) => name)).toEqual([
      'chat claude-sonnet-4-5',
      'step 1',
      'invoke_agent',
    ])
    for (const { status } of finished) expect(status).toEqual({ code: SpanStatusCode.ERROR })
  })

  it('holds no text of the session, whatever happens', async () => {
    const secret = 'xyzzy-the-secret'
    const { session, run, spans } = await traced({
      script: [
        { text: `said ${secret}`, calls: [{ name: 'broken', input: { path: secret } }] },
        { text: secret },
        { error: Object.assign(new Error(secret), { code: `no ${secret}` }) },
      ],
      summarizer: { name: 's', summarize: async () => Promise.reject(new Error(secret)) },
      step: { maxRetries: 0 },
    })
    await session.say(secret)
    await run()
    await session.compact()
    await session.say('Again.')
    await expect(run()).rejects.toThrow()
    const all = spans().map(({ name, attributes, events, status }) => [
      name,
      attributes,
      events,
      status,
    ])
    expect(all.length).toBeGreaterThan(4)
    expect(JSON.stringify(all)).not.toContain(secret)
  })

  it('stands under the span in which the run was begun, and has the step’s work under its step', async () => {
    const { tracerProvider, spans } = memoryProvider()
    const tracer = tracerProvider.getTracer('host')
    const telemetry = openTelemetry({ tracerProvider })
    const session = await openSession({
      store: memoryStore(),
      id: 'a',
      window: { context: 200_000 },
      plugins: [telemetry.plugin],
    })
    await session.say('Go.')
    const traceStep = telemetry.step(async () => {
      tracer.startSpan('inside').end()
      return { messages: [{ role: 'assistant', content: 'Done.' }], finish: 'stop' }
    }, session.id)
    const outer = tracer.startSpan('request')
    context.setGlobalContextManager(contextManager())
    try {
      const within = trace.setSpan(ROOT_CONTEXT, outer)
      await context.with(within, () => run({ session, step: traceStep }))
    } finally {
      context.disable()
    }
    outer.end()
    const finished = spans()
    expect(parentOf(finished, named(finished, 'inside'))).toBe('step 1')
    expect(parentOf(finished, named(finished, 'chat'))).toBe('step 1')
    expect(parentOf(finished, named(finished, 'invoke_agent'))).toBe('request')
  })

  it('keeps the sessions apart that it traces at the same time', async () => {
    const { tracerProvider, spans } = memoryProvider()
    const { plugin } = openTelemetry({ tracerProvider })
    const agents = await Promise.all(
      ['a', 'b'].map((id) => agent({ id, script: [{ text: 'Done.' }], plugins: [plugin] })),
    )
    await Promise.all(agents.map(({ session }) => session.say('Go.')))
    await Promise.all(agents.map((each) => each.run()))
    const finished = spans()
    for (const span of finished) {
      const parent = finished.find(
        (each) => each.spanContext().spanId === span.parentSpanContext?.spanId,
      )
      const id = span.attributes['gen_ai.conversation.id']
      expect(parent?.attributes['gen_ai.conversation.id'] ?? id).toBe(id)
    }
    expect(new Set(finished.map((span) => span.spanContext().traceId)).size).toBe(2)
  })

  it('makes a span of a summary that is prepared beside the agent', async () => {
    const { tracerProvider, spans } = memoryProvider()
    const { plugin } = openTelemetry({ tracerProvider })
    const source = { session: 'a', model: undefined }
    const attempt = {
      rung: 'model',
      summarizer: 's',
      problems: [],
      calls: [{ model: 's' }],
    } as const
    plugin.onEvent?.({ type: 'run-started' }, source)
    const { session } = await agent({ script: [] })
    const plan = await session.plan()
    for (const end of [
      { type: 'preparation-finished', attempts: [{ ...attempt, problems: [] }] },
      { type: 'preparation-failed', attempts: [{ ...attempt, problems: ['it was empty'] }] },
    ] satisfies SessionEvent[]) {
      plugin.onEvent?.({ type: 'preparation-started', plan }, source)
      plugin.onEvent?.(end, source)
    }
    plugin.onEvent?.({ type: 'preparation-started', plan }, source)
    plugin.onEvent?.({ type: 'stopped', reason: 'finished' }, source)
    const finished = spans()
    expect(finished.map(({ name, status }) => [name, status.code])).toEqual([
      ['throughline.preparation', SpanStatusCode.UNSET],
      ['throughline.preparation', SpanStatusCode.ERROR],
      ['throughline.preparation', SpanStatusCode.UNSET],
      ['invoke_agent', SpanStatusCode.UNSET],
    ])
    expect(finished[0]?.attributes).toMatchObject({
      'throughline.preparation.attempts': 1,
      'throughline.preparation.calls': 1,
    })
    expect(JSON.stringify(finished[1]?.attributes)).not.toContain('it was empty')
  })

  it('has its attributes in docs/plugins.md', () => {
    const page = readFileSync(new URL('../../../../../docs/plugins.md', import.meta.url), 'utf8')
    const sources = ['session-spans.ts'].map((name) =>
      readFileSync(new URL(name, import.meta.url), 'utf8'),
    )
    const names = sources.flatMap(
      (source) => source.match(/(?:gen_ai|throughline)\.[a-z_.]+/g) ?? [],
    )
    expect(names.length).toBeGreaterThan(20)
    for (const name of new Set(names)) {
      const short = name.replace(/^throughline\.(?:compaction|preparation)\.(?=.)/, '')
      expect(page).toContain(`\`${short}`)
    }
  })

  it('is silent where nobody listens', async () => {
    const { plugin } = openTelemetry()
    const { session, run, events } = await agent({
      script: [{ text: 'Done.' }],
      plugins: [plugin],
    })
    await session.say('Go.')
    await expect(run()).resolves.toMatchObject({ reason: 'finished' })
    expect(events.map(({ type }) => type)).not.toContain('plugin-failed')
  })
})
