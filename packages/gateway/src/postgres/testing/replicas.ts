import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { rolldown } from 'rolldown'
import { tmpdir } from 'node:os'
import { importedAs, libraryEntries, packageFolder } from '../../../../throughline/build/entries.ts'

/** A replica in a process of its own. */
export interface Replica {
  readonly url: string
  /** At once, in whatever it is doing. */
  kill: () => Promise<void>
  readonly problems: readonly string[]
}

let program: Promise<string> | undefined

/** The source in one file, so that a replica starts as quickly as what ships. */
function bundled(): Promise<string> {
  return (program ??= bundle())
}

async function bundle(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'replica-'))
  // Its thread stands beside it.
  await bundleInto(join(folder, 'engine-thread.js'), join('..', '..', 'engine', 'engine-thread.ts'))
  const file = join(folder, 'replica.js')
  await bundleInto(file, 'replica.ts')
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  return file
}

async function bundleInto(file: string, source: string): Promise<void> {
  const alias = Object.fromEntries(
    Object.entries(libraryEntries).map(([entry, from]) => [
      importedAs(entry),
      join(packageFolder, from),
    ]),
  )
  // The longest first: 'throughline' is the beginning of all of them.
  const longest = Object.entries(alias).toSorted(([a], [b]) => b.length - a.length)
  const build = await rolldown({
    platform: 'node',
    input: join(import.meta.dirname, source),
    external: ['pg-native'],
    resolve: { alias: Object.fromEntries(longest) },
  })
  await build.write({ file, format: 'esm', codeSplitting: false })
}

/** @throws Error if it ends before it listens. */
export async function startReplica(env: {
  store: string
  schema: string
  upstream: string
  window: number
}): Promise<Replica> {
  const child = spawn(process.execPath, ['--no-warnings', await bundled()], {
    env: {
      ...process.env,
      REPLICA_STORE: env.store,
      REPLICA_SCHEMA: env.schema,
      REPLICA_UPSTREAM: env.upstream,
      REPLICA_WINDOW: String(env.window),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const problems: string[] = []
  child.stderr.on('data', (chunk: Buffer) => problems.push(chunk.toString()))
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const over = once(child, 'exit')
    child.kill('SIGKILL')
    await over
  }
  const lines = createInterface({ input: child.stdout })
  const [url] = (await Promise.race([
    once(lines, 'line'),
    once(child, 'exit').then(() => {
      throw new Error(`A replica has ended: ${problems.join('')}`)
    }),
  ])) as [string]
  return { url, kill, problems }
}
