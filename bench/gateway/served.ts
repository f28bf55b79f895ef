import { monitorEventLoopDelay } from 'node:perf_hooks'
import { serve, sqliteGatewayStore, startGateway } from 'throughline-gateway'
import { startPlain } from './plain.ts'
import type { AnyKind, ProgramSample } from './program.ts'

// A program under measurement, as a process of its own: what it is to be comes in its environment.
const { BENCH_KIND = '', BENCH_UPSTREAM = '', BENCH_STORE = '', BENCH_WINDOW = '' } = process.env
const kind = BENCH_KIND as AnyKind

const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()

process.on('message', () => {
  // Nanoseconds.
  const stalled = delay.max / 1e6
  globalThis.gc?.()
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed, external, arrayBuffers } = process.memoryUsage()
  const sample: ProgramSample = {
    cpu: (user + system) / 1_000,
    rss,
    held: heapUsed + external + arrayBuffers,
    stalled,
  }
  process.send?.(sample)
  // Our own collection is not its doing.
  setImmediate(() => delay.reset())
})

const ended = new AbortController()
process.on('disconnect', () => ended.abort())

if (kind === 'plain') {
  process.send?.({ url: await startPlain(BENCH_UPSTREAM) })
  ended.signal.addEventListener('abort', () => process.exit())
} else if (kind === 'here') {
  const store = sqliteGatewayStore({ folder: BENCH_STORE })
  const gateway = await startGateway({
    store,
    upstreams: { openai: `${BENCH_UPSTREAM}/v1` },
    sessions: { window: { context: Number(BENCH_WINDOW) }, when: 'before' },
  })
  process.send?.({ url: gateway.url })
  ended.signal.addEventListener('abort', () => process.exit())
} else {
  // The shipped program, with compaction or without.
  await serve({
    host: '127.0.0.1',
    port: 0,
    upstreams: { openai: `${BENCH_UPSTREAM}/v1` },
    folder: BENCH_STORE,
    settings: {
      window: { context: Number(BENCH_WINDOW) },
      when: kind === 'off' ? 'never' : 'before',
    },
    say: async (text) => {
      const [url] = /http:\/\/[\d.:]+/.exec(text) ?? []
      if (url !== undefined) process.send?.({ url })
    },
    signal: ended.signal,
  })
}
