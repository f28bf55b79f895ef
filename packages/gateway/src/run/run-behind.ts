import { spawn } from 'node:child_process'
import { constants, homedir, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { mkdtemp, rm } from 'node:fs/promises'
import { checkFolder } from '../operations/store-place.ts'
import { clientOf } from './clients.ts'
import { createTally, type Tally } from './tally.ts'
import { oneUser, tokenVariable } from './one-user.ts'
import { KeptGateway, type KeepingSettings } from './kept/kept-gateway.ts'
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
  /**
   * The URL of a module whose `sessionPage` takes the settings and gives a `ReportPage`, for the pages of
   * sessions. The gateway's process loads it when a page is asked for.
   */
  pageModule?: string
  /** Says something to the user, a line or several. */
  say: (text: string) => Promise<void>
  /** Says nothing before the start and at the end. */
  isQuiet?: boolean
  /** How the gateway is started, and started again. */
  keeping?: KeepingSettings
}

/**
 * Runs a client behind a gateway that lives as long as the client: it listens on loopback, on a port
 * of its own, and the client is sent to it by its environment or its own flags. No file is changed.
 * The gateway is a process of its own: if it ends by itself, it is started again on the same port.
 * @returns the client's exit code.
 * @throws RunFailedError if the gateway does not answer, there is no such command, or the client’s own
 * arguments send it elsewhere.
 */
export async function runBehind(options: RunOptions): Promise<number> {
  const { command, env, folder, say, isQuiet, pageModule } = options
  checkFolder(folder)
  const client = clientOf(command)
  const own = await mkdtemp(join(tmpdir(), 'throughline-run-'))
  const tally = createTally()
  const settings = { ...client.settings, ...options.settings }
  const { token } = oneUser(env)
  let isRunning = false
  const gateway = new KeptGateway({
    ...options.keeping,
    work: { folder, own, settings, token, ...(pageModule !== undefined && { pageModule }) },
    tally,
    onGivenUp: (why) => {
      if (isRunning) void say(`throughline: the ${why}\n`)
    },
  })
  try {
    const url = await gateway.start()
    const pointed = await client.point({
      url,
      env,
      args: options.args,
      directory: options.directory,
      home: env['HOME'] ?? homedir(),
      folder: own,
    })
    gateway.point({ routes: pointed.routes, upstreams: pointed.upstreams })
    await proveThatItAnswers(url, gateway)
    if (!isQuiet) await say(beforeText(client, url))
    const args = [...pointed.args, ...(pointed.own ?? options.args)]
    const forItself = { [tokenVariable]: token, THROUGHLINE_GATEWAY: url }
    const given = { ...env, ...directly(env), ...forItself, ...pointed.env }
    const code = await run({ command, args, env: given, directory: options.directory }, (pid) => {
      isRunning = true
      gateway.serves(pid)
    })
    // All that it has done has been told then.
    await gateway.end()
    if (!isQuiet) {
      const said = tally.isUnused() ? unusedText(client, command) : afterText(tally, folder)
      await say(said + deathsText(gateway))
    }
    return code
  } finally {
    await gateway.end()
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

async function proveThatItAnswers(url: string, gateway: KeptGateway): Promise<void> {
  const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(10_000) }).catch(
    (error: unknown) => {
      const problem = `The ${gateway.problem ?? `gateway does not answer at ${url}.`}`
      throw new RunFailedError(`${problem} Nothing was started.`, { cause: error })
    },
  )
  if (answer.ok) return
  const said = (await answer.text()).slice(0, 200)
  throw new RunFailedError(`The gateway at ${url} is not ready (${said}): nothing was started.`)
}

/** Signals that end the client, and not the gateway before it. */
const passed = ['SIGTERM', 'SIGHUP'] as const

async function run(
  { command, args, env, directory }: Pick<RunOptions, 'command' | 'args' | 'env' | 'directory'>,
  onStarted: (pid: number) => void,
): Promise<number> {
  const child = spawn(command, args, { cwd: directory, env, stdio: 'inherit' })
  if (child.pid !== undefined) onStarted(child.pid)
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
    `  It serves you alone: its sessions are read and changed with $${tokenVariable}, which only ${called} gets.`,
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
  return `throughline: ${text()}\n  The sessions: throughline list --stored --store ${join(folder, 'sessions.db')}\n`
}

/** A terminal that the client draws on is not written to before. */
function deathsText({ deaths, problem }: KeptGateway): string {
  if (deaths.length === 0) return ''
  const times = deaths.length === 1 ? 'once' : `${deaths.length} times`
  const why = [...new Set(deaths)].map((reason) => `it ${reason}`).join('; ')
  const since = problem === undefined ? 'and was started again' : 'and was given up'
  return `  The gateway ended by itself ${times} (${why}) ${since}.\n`
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
