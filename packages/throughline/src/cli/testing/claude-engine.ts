import { PassThrough } from 'node:stream'
import { writeFile } from 'node:fs/promises'
import { compaction } from '../../clients/claude-code/compaction.ts'
import { register } from '../../clients/claude-code/module.ts'
import type { CompactQuestion } from '../../clients/claude-code/question.ts'

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
}

/** That program, in this process. */
function program({ input }: { input: string }, env: Environment): AsyncIterator<unknown> {
  const printed = new PassThrough({ objectMode: true })
  const say = (answer: unknown): void => {
    printed.write({ stream: 'stdout', text: `${JSON.stringify(answer)}\n` })
  }
  const question = JSON.parse(input) as CompactQuestion
  void compaction(question, { env, say }).finally(() => printed.end())
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
  }: EngineOptions,
): Promise<unknown> {
  const hooks = new Map<string, Hook>()
  register(((name: string, hook: Hook) => hooks.set(name, hook)) as never)
  const engine = {
    session: {
      id: async () => 's',
      cwd: async () => '/w',
      version: async () => ({ version: '2.1.330' }),
      usage: async () => ({ context: { window: 100_000 } }),
    },
    clock: { now: async () => 0, sleep, after: (_: number, then: () => void) => then() },
    ui: { log: (line: string) => lines.push(line) },
    fs: { write: writeFile },
    process: { spawn },
  }
  return hooks.get('session.compact')?.(engine, { trigger: 'auto', ...event }, next)
}
