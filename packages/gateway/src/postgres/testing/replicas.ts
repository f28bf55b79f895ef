import { spawn, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import { once } from 'node:events'
import { pathToFileURL } from 'node:url'

/** A replica in a process of its own. */
export interface Replica {
  readonly url: string
  /** At once, in whatever it is doing. */
  kill: () => Promise<void>
  readonly problems: readonly string[]
}

const here = import.meta.dirname
const hooks = pathToFileURL(join(here, 'resolve-source.ts')).href

/** @throws Error if it ends before it listens. */
export async function startReplica(env: {
  store: string
  schema: string
  upstream: string
  window: number
}): Promise<Replica> {
  const child: ChildProcess = spawn(
    process.execPath,
    ['--no-warnings', '--import', hooks, join(here, 'replica.ts')],
    {
      env: {
        ...process.env,
        REPLICA_STORE: env.store,
        REPLICA_SCHEMA: env.schema,
        REPLICA_UPSTREAM: env.upstream,
        REPLICA_WINDOW: String(env.window),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const problems: string[] = []
  child.stderr?.on('data', (chunk: Buffer) => problems.push(chunk.toString()))
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const over = once(child, 'exit')
    child.kill('SIGKILL')
    await over
  }
  const lines = createInterface({ input: child.stdout as NonNullable<typeof child.stdout> })
  const [url] = (await Promise.race([
    once(lines, 'line'),
    once(child, 'exit').then(() => {
      throw new Error(`A replica has ended: ${problems.join('')}`)
    }),
  ])) as [string]
  return { url, kill, problems }
}
