import { PassThrough } from 'node:stream'
import { writeFile } from 'node:fs/promises'
import { compaction, compactionAhead } from '../../clients/claude-code/compaction.ts'
import { register } from '../../clients/claude-code/module.ts'
import type { ModuleQuestion } from '../../clients/claude-code/question.ts'

type Environment = Readonly<Record<string, string | undefined>>
type Hook = (engine: unknown, event: unknown, next: unknown) => Promise<unknown>

/** How the program that the module starts is started. */
export type Spawn = (program: { input: string }) => AsyncIterator<unknown>

interface EngineOptions {
  env: Environment
  spawn?: Spawn
  sleep?: (ms: number) => Promise<unknown>
  /** What a person sees. */
  lines?: string[]
  /** What happens between the moment when a compaction comes near and the compaction. */
  meanwhile?: () => void
}

/** That program, in this process. */
export function program({ input }: { input: string }, env: Environment): AsyncIterator<unknown> {
  const printed = new PassThrough({ objectMode: true })
  const say = (answer: unknown): void => {
    printed.write({ stream: 'stdout', text: `${JSON.stringify(answer)}\n` })
  }
  const question = JSON.parse(input) as ModuleQuestion
  const answered = async (): Promise<void> => {
    if (question.ask === 'start') say({ limit: 0 })
    else if (question.ask === 'ahead') await compactionAhead(question, { env, say })
    else await compaction(question, { env, say })
  }
  void answered().finally(() => printed.end())
  return printed[Symbol.asyncIterator]()
}

/** What the hooks module makes of a compaction, in what Claude Code gives its modules. */
export async function compactedByModule(
  event: object,
  next: (event: { instructions?: string }) => Promise<unknown>,
  {
    env,
    spawn = (started) => program(started, env),
    sleep = () => new Promise(() => {}),
    lines = [],
    meanwhile,
  }: EngineOptions,
): Promise<unknown> {
  const hooks = new Map<string, Hook>()
  register(((name: string, hook: Hook) => hooks.set(name, hook)) as never)
  let look: (() => void) | undefined
  let begun = (): void => {}
  const engine = {
    session: {
      id: async () => 's',
      cwd: async () => '/w',
      version: async () => ({ version: '2.1.330' }),
      usage: async () => ({ context: { tokens: 60_000, window: 100_000 } }),
    },
    clock: {
      now: async () => 0,
      sleep,
      after: (_: number, then: () => void) => then(),
      every: (_: number, then: () => void) => {
        look = then
        begun()
      },
    },
    ui: { log: (line: string) => lines.push(line) },
    fs: { write: writeFile },
    process: { spawn },
  }
  if (meanwhile) {
    const waited = new Promise<void>((resolve) => (begun = resolve))
    await hooks.get('session.start')?.(engine, {}, async () => undefined)
    await waited
    look?.()
    // It is asked for its session and its folder.
    await new Promise((resolve) => setTimeout(resolve, 0))
    meanwhile()
  }
  return hooks.get('session.compact')?.(engine, { trigger: 'auto', ...event }, next)
}
