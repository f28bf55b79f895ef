import { setFlagsFromString } from 'node:v8'
import { createTally } from './tally.ts'
import { GatewayConfigError } from '../operations/config.ts'
import { checkAnswers, checkPlace, isPostgres } from '../operations/store-place.ts'
import { startTeamGateway } from '../operations/serve-team.ts'
import { folderIsPlain, sqliteGatewayStore } from '../store/sqlite-gateway-store.ts'
import { startGateway } from '../server/gateway.ts'
import { oneUser, oneUserText } from './one-user.ts'
import type { SessionSettings } from '../sessions/settings.ts'
import type { Upstreams } from '../upstream/targets.ts'

/** A gateway that stays, for every client that is sent to it. */
export interface ServeOptions {
  host: string
  port: number
  upstreams: Upstreams
  /** Where the sessions are kept: a folder, or `postgres://…`. */
  folder: string
  configFile?: string
  /** What stands before that file: what was asked for on the command line. */
  given?: Readonly<Record<string, unknown>>
  settings: SessionSettings
  /** The URL of the module that makes the pages of sessions. */
  pageModule?: string
  /** Who may see and change sessions over HTTP: each caller its own, or the one user all of them. */
  sessionInterface?: 'callers' | 'one-user'
  /** Whether links to a page may be made that open without a key, for ten minutes. */
  reportLinks?: boolean
  say: (text: string) => Promise<void>
  /** Ends it: requests that run are answered first. */
  signal: AbortSignal
}

/** Serves until the signal comes. */
export async function serve(options: ServeOptions): Promise<void> {
  const { host, port, upstreams, folder, settings, say, signal } = options
  checkPlace(folder)
  collectSeldom()
  const { sessionInterface } = options
  const isTeam = options.configFile !== undefined || isPostgres(folder)
  if (isTeam && sessionInterface === 'one-user') {
    throw new GatewayConfigError('The session interface', [
      'one-user is for one person with a store in a folder: a team names headers in "identity", and serves callers',
    ])
  }
  const access =
    sessionInterface === 'one-user'
      ? oneUser(process.env)
      : sessionInterface && { for: sessionInterface }
  if (isTeam) return serveTeam(options)
  const store = sqliteGatewayStore({ folder })
  const tally = createTally()
  const told = new AbortController()
  const stop = (): void => told.abort()
  // As services are told.
  process.once('SIGTERM', stop)
  const over = AbortSignal.any([signal, told.signal])
  try {
    const gateway = await startGateway({
      host,
      port,
      upstreams,
      store,
      sessions: settings,
      thread: true,
      onEvent: tally.onEvent,
      onAnswered: tally.onAnswered,
      sessionAccess: access,
      pageModule: options.pageModule,
      reportLinks: options.reportLinks,
    })
    await say(
      `throughline: serving ${gateway.url}/v1 (OpenAI), ${gateway.url} (Anthropic, Gemini); Ctrl-C ends it.\n`,
    )
    await say(`throughline: ${folder}: ${folderIsPlain}.\n`)
    if (access?.for === 'one-user') await say(oneUserText(gateway.url, access))
    await aborted(over)
    await gateway.close()
    await say(`throughline: ${tally.text()}\n`)
  } finally {
    process.off('SIGTERM', stop)
    await store.close()
  }
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/**
 * Bodies come and go outside of the heap, and for every few megabytes of them V8 would look through
 * all of a heap that hardly changes: most of a request’s time. It may be twice what is alive before.
 */
function collectSeldom(): void {
  setFlagsFromString('--heap-growing-percent=100')
}

/** One replica of a team’s gateway: it logs to stdout, and reads its configuration anew at SIGHUP. */
async function serveTeam(options: ServeOptions): Promise<void> {
  const { host, port, upstreams, folder, settings, configFile, given = {}, say, signal } = options
  const { sessionInterface, reportLinks } = options
  const asked = {
    ...(sessionInterface && { sessionInterface }),
    ...(reportLinks && { reportLinks }),
  }
  // What is written in a file or in the environment may come up later.
  const typed = configFile === undefined ? folder : given['store']
  if (typeof typed === 'string') await checkAnswers(typed)
  const gateway = await startTeamGateway({
    env: process.env,
    pageModule: options.pageModule,
    ...(configFile === undefined
      ? { config: { host, port, upstreams, store: folder, sessions: settings, ...asked } }
      : { configFile, config: { ...given, ...asked } }),
  })
  const reload = (): void => gateway.reload()
  const told = new AbortController()
  const stop = (): void => told.abort()
  process.on('SIGHUP', reload)
  // As containers are told.
  process.on('SIGTERM', stop)
  const over = AbortSignal.any([signal, told.signal])
  try {
    await say(
      `throughline: serving ${gateway.url}/v1 for a team; SIGHUP reads its configuration.\n`,
    )
    await aborted(over)
  } finally {
    process.off('SIGHUP', reload)
    process.off('SIGTERM', stop)
    await gateway.close()
  }
}
