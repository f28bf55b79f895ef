import { fork, type ChildProcess } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The gateway; the same program with compaction off; and a plain pass-through on its libraries. */
export type ProgramKind = 'gateway' | 'off' | 'plain'

/** The gateway with all of its work in one thread. */
export type AnyKind = ProgramKind | 'here'

/** What a program has used and holds, after a collection. */
export interface ProgramSample {
  /** Milliseconds of processor time since it began. */
  cpu: number
  /** Bytes: of the process, and of what it can reach. */
  rss: number
  held: number
  /** The longest time for which its event loop ran nothing else since the last sample, in milliseconds. */
  stalled: number
}

/** A program in a process of its own. */
export interface Program<Kind extends AnyKind = ProgramKind> {
  readonly kind: Kind
  readonly url: string
  sample: () => Promise<ProgramSample>
  close: () => Promise<void>
}

export interface ProgramSettings {
  upstream: string
  /** Tokens. */
  window: number
  /** `postgres://…`; a new folder by default. */
  store?: string
}

// `BENCH_PROF=folder` writes a processor profile of each program there.
const profiles = process.env['BENCH_PROF']

export async function startProgram<Kind extends AnyKind>(
  kind: Kind,
  { upstream, window, store }: ProgramSettings,
): Promise<Program<Kind>> {
  const folder = store ?? mkdtempSync(join(tmpdir(), 'bench-gateway-'))
  const child = forked('served.ts', {
    BENCH_KIND: kind,
    BENCH_UPSTREAM: upstream,
    BENCH_STORE: folder,
    BENCH_WINDOW: String(window),
  })
  const { url } = await heard<{ url: string }>(child)
  return {
    kind,
    url,
    sample() {
      const answer = heard<ProgramSample>(child)
      child.send('sample')
      return answer
    },
    close: () => closed(child),
  }
}

/** A provider in a process of its own. */
export interface LoadProvider {
  readonly url: string
  /** How many summaries it was asked for. */
  summaries: () => Promise<number>
  close: () => Promise<void>
}

export async function startLoadProvider(): Promise<LoadProvider> {
  const child = forked('provider.ts', {})
  const { url } = await heard<{ url: string }>(child)
  return {
    url,
    async summaries() {
      const answer = heard<{ summaries: number }>(child)
      child.send('sample')
      return (await answer).summaries
    },
    close: () => closed(child),
  }
}

function forked(file: string, env: Readonly<Record<string, string>>): ChildProcess {
  const isServed = file === 'served.ts'
  return fork(join(import.meta.dirname, file), {
    env: { ...process.env, ...env },
    execArgv: [
      '--no-warnings',
      '--expose-gc',
      ...(profiles !== undefined && isServed
        ? ['--cpu-prof', `--cpu-prof-dir=${join(profiles, env['BENCH_KIND'] ?? '')}`]
        : []),
    ],
    // A team's log goes to stdout.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
}

async function heard<Said>(child: ChildProcess): Promise<Said> {
  const gone = new AbortController()
  const { signal } = gone
  try {
    const [said] = (await Promise.race([
      once(child, 'message', { signal }),
      once(child, 'exit', { signal }).then(() => {
        throw new Error('A program of the benchmark has ended.')
      }),
    ])) as [Said]
    return said
  } finally {
    gone.abort()
  }
}

async function closed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const over = once(child, 'exit')
  child.disconnect()
  await over
}
