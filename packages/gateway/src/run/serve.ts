import { setFlagsFromString } from 'node:v8'
import { createTally } from './tally.ts'
import { checkPlace, isPostgres } from '../operations/store-place.ts'
import { startTeamGateway } from '../operations/serve-team.ts'
import { sqliteGatewayStore } from '../store/sqlite-gateway-store.ts'
import { startGateway } from '../server/gateway.ts'
import type { ReportPage } from '../server/session-api.ts'
import type { SessionSettings } from '../sessions/settings.ts'
import type { Upstreams } from '../upstream/targets.ts'

/** A gateway that stays, for every client that is sent to it. */
export interface ServeOptions {
  host: string
  port: number
  upstreams: Upstreams
  /** Where the sessions are kept: a folder, or `postgres://…`. */
  folder: string
  /** A file of configuration for a team. */
  configFile?: string
  /** What stands before that file: what was asked for on the command line. */
  given?: Readonly<Record<string, unknown>>
  settings: SessionSettings
  /** Makes the page of a session. */
  reportPage?: ReportPage
  /** Whether answers link to it so that it opens without a key. */
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
  if (options.configFile !== undefined || isPostgres(folder)) return serveTeam(options)
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
      reportPage: options.reportPage,
      reportLinks: options.reportLinks,
    })
    await say(
      `throughline: serving ${gateway.url}/v1 (OpenAI), ${gateway.url} (Anthropic, Gemini); Ctrl-C ends it.\n`,
    )
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
  const gateway = await startTeamGateway({
    env: process.env,
    reportPage: options.reportPage,
    reportLinks: options.reportLinks,
    ...(configFile === undefined
      ? { config: { host, port, upstreams, store: folder, sessions: settings } }
      : { configFile, config: given }),
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
