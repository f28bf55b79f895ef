import { spawn } from 'node:child_process'
import { constants, homedir, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { mkdtemp, rm } from 'node:fs/promises'
import { checkFolder } from '../operations/store-place.ts'
import { clientOf } from './clients.ts'
import { createTally, type Tally } from './tally.ts'
import { sqliteGatewayStore } from '../store/sqlite-gateway-store.ts'
import { startGateway } from '../server/gateway.ts'
import type { ReportPage } from '../server/session-api.ts'
import { RunFailedError, type LoginRow, type RunClient } from './run-client.ts'
import type { SessionSettings } from '../sessions/settings.ts'

/** A command to run behind a gateway of its own. */
export interface RunOptions {
  command: string
  args: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  directory: string
  /** Where the sessions are kept. */
  folder: string
  /** What the user decides; what is known of the client counts where this says nothing. */
  settings?: SessionSettings
  /** Makes the page to which answers link. */
  reportPage?: ReportPage
  /** Says something to the user, a line or several. */
  say: (text: string) => Promise<void>
  /** Says nothing before the start and at the end. */
  isQuiet?: boolean
}

/**
 * Runs a client behind a gateway that lives as long as the client: it listens on loopback, on a port
 * of its own, and the client is sent to it by its environment or its own flags. No file is changed.
 * @returns the client's exit code.
 * @throws RunFailedError if the gateway does not answer, there is no such command, or the client’s own
 * arguments send it elsewhere.
 */
export async function runBehind(options: RunOptions): Promise<number> {
  const { command, env, folder, say, isQuiet } = options
  checkFolder(folder)
  const client = clientOf(command)
  const store = sqliteGatewayStore({ folder })
  const own = await mkdtemp(join(tmpdir(), 'throughline-run-'))
  const tally = createTally()
  const routes: Record<string, string> = {}
  const upstreams: Record<string, string> = {}
  const gateway = await startGateway({
    store,
    upstreams,
    routes,
    sessions: { ...client.settings, ...options.settings },
    thread: true,
    onEvent: tally.onEvent,
    onAnswered: tally.onAnswered,
    reportPage: options.reportPage,
  })
  try {
    const pointed = await client.point({
      url: gateway.url,
      env,
      args: options.args,
      directory: options.directory,
      home: env['HOME'] ?? homedir(),
      folder: own,
    })
    Object.assign(routes, pointed.routes)
    Object.assign(upstreams, pointed.upstreams)
    await proveThatItAnswers(gateway.url)
    if (!isQuiet) await say(beforeText(client, gateway.url))
    const args = [...pointed.args, ...(pointed.own ?? options.args)]
    const given = { ...env, ...directly(env), ...pointed.env }
    const code = await run(command, args, given, options.directory)
    if (!isQuiet)
      await say(tally.isUnused() ? unusedText(client, command) : afterText(tally, folder))
    return code
  } finally {
    await gateway.close()
    await store.close()
    await rm(own, { recursive: true, force: true })
  }
}

/** A client that asks through a proxy asks the gateway without it: no proxy reaches this machine. */
function directly(env: RunOptions['env']): Record<string, string> {
  const named = ['http_proxy', 'https_proxy', 'all_proxy']
  if (!named.some((name) => env[name] || env[name.toUpperCase()])) return {}
  const before = env['no_proxy'] || env['NO_PROXY']
  const hosts = [...(before ? [before] : []), '127.0.0.1', 'localhost'].join(',')
  return { NO_PROXY: hosts, no_proxy: hosts }
}

async function proveThatItAnswers(url: string): Promise<void> {
  const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(10_000) }).catch(
    (error: unknown) => {
      throw new RunFailedError(`The gateway does not answer at ${url}: nothing was started.`, {
        cause: error,
      })
    },
  )
  if (answer.ok) return
  const said = (await answer.text()).slice(0, 200)
  throw new RunFailedError(`The gateway at ${url} is not ready (${said}): nothing was started.`)
}

/** Signals that end the client, and not the gateway before it. */
const passed = ['SIGTERM', 'SIGHUP'] as const

async function run(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  directory: string,
): Promise<number> {
  const child = spawn(command, args, { cwd: directory, env, stdio: 'inherit' })
  // The terminal sends it to the client as well, which decides what it means.
  const ignore = (): void => {}
  const pass = (signal: NodeJS.Signals): void => void child.kill(signal)
  process.on('SIGINT', ignore)
  for (const signal of passed) process.on(signal, pass)
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', (error: NodeJS.ErrnoException) => {
        const problem =
          error.code === 'ENOENT'
            ? `There is no command ${JSON.stringify(command)} on the path.`
            : `${JSON.stringify(command)} cannot be started: ${error.message}`
        reject(new RunFailedError(problem, { cause: error }))
      })
      child.once('exit', (code, signal) =>
        resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)),
      )
    })
  } finally {
    process.off('SIGINT', ignore)
    for (const signal of passed) process.off(signal, pass)
  }
}

/** What works and what is lost, by how one is logged in. */
function beforeText({ name, logins, installs, commands }: RunClient, url: string): string {
  const called = commands[0] ?? 'the command'
  const lines = [
    `throughline: ${called} goes through ${url}, for this run alone; no file is changed.`,
    ...tableLines(logins),
    ...(installs
      ? [
          `  If your plan does not work with the gateway, use Throughline inside the client: throughline install ${name}`,
        ]
      : []),
  ]
  return `${lines.join('\n')}\n`
}

const worksWords = { yes: 'works', no: 'does not', 'not tried': 'not tried' } as const

function tableLines(logins: readonly LoginRow[]): string[] {
  return logins.map(({ login, works, lost }) => {
    const loses = works === 'no' ? lost : lost === 'nothing' ? 'nothing is lost' : `lost: ${lost}`
    return `  ${worksWords[works].padEnd(9)}  ${login}; ${loses}`
  })
}

function afterText({ text }: Tally, folder: string): string {
  return `throughline: ${text()}\n  The sessions: throughline sessions --store ${join(folder, 'sessions.db')}\n`
}

/** It may have had nothing to ask. If it had, nobody should think that its session was looked after. */
function unusedText({ logins, check }: RunClient, command: string): string {
  const bypassing = logins.filter(({ works }) => works === 'no').map(({ login }) => login)
  const lines = [
    `throughline: no request came to the gateway: ${basename(command)} did not use it. If it asked a model, it asked the provider directly, and nothing was compacted.`,
    `  Check that ${check}.`,
    ...(bypassing.length > 0
      ? [
          `  Check how you are logged in. Requests bypass the gateway with ${bypassing.join(', or ')}.`,
        ]
      : []),
  ]
  return `${lines.join('\n')}\n`
}
