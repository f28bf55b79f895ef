import { serve } from 'throughline-gateway'
import { startPlain } from './plain.ts'
import type { ProgramKind, ProgramSample } from './program.ts'

// A program under measurement, as a process of its own: what it is to be comes in its environment.
const { BENCH_KIND = '', BENCH_UPSTREAM = '', BENCH_STORE = '', BENCH_WINDOW = '' } = process.env
const kind = BENCH_KIND as ProgramKind

process.on('message', () => {
  globalThis.gc?.()
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed, external, arrayBuffers } = process.memoryUsage()
  const sample: ProgramSample = {
    cpu: (user + system) / 1_000,
    rss,
    held: heapUsed + external + arrayBuffers,
  }
  process.send?.(sample)
})

const ended = new AbortController()
process.on('disconnect', () => ended.abort())

if (kind === 'plain') {
  process.send?.({ url: await startPlain(BENCH_UPSTREAM) })
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
