import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes, randomUUID } from 'node:crypto'
import { requestId } from '../server/headers.ts'
import { accountOf, callerOf, type Caller } from '../identity/caller.ts'
import { budgetsOfCaller, budgetsOfKey, dollarsOf, pricesFor } from './charging.ts'
import { createAdmission, policyOf, type Admitted } from './admission.ts'
import { isSame } from '../identity/is-same.ts'
import { createLog, type Log } from './log.ts'
import { clientGone, createMetrics } from './metrics.ts'
import { GatewayConfigError, readTeamConfig, teamConfig, type TeamConfig } from './config.ts'
import { checkPlace, isPostgres } from './store-place.ts'
import { inSpan, modelFacts } from './traces.ts'
import { Ledger, sayingOf } from '../budgets/ledger.ts'
import { meteredUpstream } from '../budgets/metered-upstream.ts'
import { keysIn, ownKeys, type OwnKeys } from '../encryption/own-key.ts'
import { openSeal, sealWith } from '../encryption/seal.ts'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { postgresGatewayStore } from '../postgres/postgres-gateway-store.ts'
import { sayRefusal, type Refusal } from '../server/refusals.ts'
import { folderIsPlain, sqliteGatewayStore } from '../store/sqlite-gateway-store.ts'
import { startGateway, type Gateway } from '../server/gateway.ts'
import { undiciUpstream } from '../upstream/undici-upstream.ts'
import type { Budget } from '../budgets/budget.ts'
import type { Answered } from '../server/answer-request.ts'
import type { DestinationStream } from 'pino'
import type { GatewayStore } from '../store/gateway-store.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'

/** A gateway for a team, as one replica of any number. */
export interface TeamOptions {
  /** A file of configuration, read again by {@link TeamGateway.reload}. */
  configFile?: string
  /** What stands before the file: from the command line. */
  config?: Readonly<Record<string, unknown>>
  env: Readonly<Record<string, string | undefined>>
  /** Where the log goes; stdout by default. */
  logTo?: DestinationStream
  /** The URL of the module that makes the pages of sessions. */
  pageModule?: string | undefined
  /** Milliseconds since 1970. */
  now?: () => number
}

/** A replica that runs. */
export interface TeamGateway {
  readonly url: string
  /**
   * Reads the configuration again. What cannot be used is not used, and said. The address, the store,
   * the keys of encryption and the session interface need a new start.
   */
  reload: () => void
  /** Takes no more requests; waits for running answers as long as the configuration says. */
  close: () => Promise<void>
}

/** What is known of the request that is being answered. */
interface Exchange {
  admitted: Admitted
  answered: Answered | undefined
  /** Whether this gateway itself has refused it. */
  isRefused: boolean
}

const hour = 60 * 60 * 1_000
const day = 24 * hour

/**
 * Starts a replica.
 * @throws GatewayConfigError
 */
export async function startTeamGateway(options: TeamOptions): Promise<TeamGateway> {
  const { env, now = Date.now } = options
  let config = readConfig(options)
  const log = createLog(config.log, options.logTo, now)
  const admission = createAdmission(() => config)
  const store = openStore(config, env, log)
  const metrics = createMetrics({
    standing: () => ({ queued: gateway.queued(), store: store.state?.() }),
    pricesFor: (model) => pricesFor(model, config),
  })
  const ledger = new Ledger({ store, now, onProblem })
  const upstream = meteredUpstream(undiciUpstream(), {
    ledger,
    now,
    budgetsOf,
    dollarsOf: (usage, model) => dollarsOf(usage, model, config),
    onSpent: metrics.spent,
    onRefused: metrics.refused,
  })
  const current = new AsyncLocalStorage<Exchange>()
  const adminToken = env['THROUGHLINE_ADMIN_TOKEN']
  // The gateway holds these, so a new configuration is written into them.
  const upstreams = { ...config.upstreams } as Record<string, string>
  const routes = { ...config.routes }
  const sessions = { ...config.sessions } as Record<string, unknown>
  const identity = [...config.identity]
  const dropHeaders = [...config.dropHeaders]
  let secret: Uint8Array | undefined
  const alone = randomBytes(32)

  async function around(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    answer: () => Promise<void>,
  ): Promise<void> {
    const [path = '/', ...queries] = (incoming.url ?? '/').split('?')
    const query = queries.join('?')
    const { method = 'GET', headers } = incoming
    if (path === '/metrics') return sayMetrics(incoming, outgoing)
    const caller = callerOf({ headers, search: `?${query}` }, identity)
    const admitted = admission.admit({ path, caller })
    if ('status' in admitted) return refuse(incoming, outgoing, admitted)
    const shortage = await ledger.shortage(await budgetsOf(caller))
    if (shortage) {
      admitted.release()
      return refuse(incoming, outgoing, sayingOf(shortage, now()))
    }
    const key = admitted.policy?.name ?? 'other'
    const begun = now()
    const end = metrics.begun()
    const exchange: Exchange = { admitted, answered: undefined, isRefused: false }
    const id = requestId(headers['x-request-id']) ?? randomUUID()
    outgoing.setHeader('x-throughline-request', id)
    const begin = { 'http.request.method': method, 'url.path': path }
    try {
      await inSpan({ name: 'gateway.request', headers, begin }, (tell) =>
        current.run(exchange, async () => {
          await answer()
          const { answered } = exchange
          tell({
            'http.response.status_code': statusOf(outgoing),
            'throughline.did': answered?.did,
            'throughline.session': answered?.session,
            ...(answered && modelFacts(answered)),
          })
        }),
      )
    } finally {
      admitted.release()
      const status = statusOf(outgoing)
      const { answered, isRefused } = exchange
      end({ status, key, answered, isRefused })
      const { did, session, providerRequest } = answered ?? {}
      const ms = now() - begun
      log.info({ id, method, path, status, key, did, session, providerRequest, ms }, 'answered')
    }
  }

  /** What the requests of a caller are charged to. */
  async function budgetsOf(caller: Caller): Promise<Budget[]> {
    const policy = policyOf(config, caller)
    const own = policy ? budgetsOfKey(policy, config) : []
    const { concurrent: _, ...each } = config.callers
    if (Object.keys(each).length === 0) return own
    return [
      ...own,
      ...budgetsOfCaller(await accountFor(caller), config, policy?.failClosed ?? false),
    ]
  }

  /** Where the store cannot be read, each replica counts alone. */
  async function accountFor(caller: Caller): Promise<string> {
    secret ??= await store.secret().catch(() => undefined)
    return accountOf(secret ?? alone, caller)
  }

  function refuse(incoming: IncomingMessage, outgoing: ServerResponse, refusal: Refusal): void {
    metrics.refused(refusal.type)
    sayRefusal(incoming, outgoing, refusal)
  }

  async function sayMetrics(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const given = incoming.headers.authorization?.replace(/^bearer\s+/i, '')
    if (adminToken && !isSame(given, adminToken)) {
      const message = 'The admin token is needed.'
      return sayRefusal(incoming, outgoing, { status: 401, type: 'unauthorized', message })
    }
    outgoing.writeHead(200, { 'content-type': metrics.contentType })
    outgoing.end(await metrics.text())
  }

  function onProblem(problem: unknown): void {
    metrics.problem(problem)
    log.problem(problem, 'something failed inside, and requests go out as they came')
  }

  const gateway: Gateway = await startGateway({
    host: config.host,
    port: config.port,
    store,
    upstream,
    upstreams,
    routes,
    sessions,
    bodyLimit: config.limits.body,
    bodiesLimit: config.limits.bodies,
    bodyPatience: config.limits.bodySeconds * 1_000,
    dropHeaders,
    enter: () => current.getStore()?.admitted.enter(),
    onRefused({ type }) {
      metrics.refused(type)
      const exchange = current.getStore()
      if (exchange) exchange.isRefused = true
    },
    around,
    adminToken,
    identity,
    ...(config.sessionInterface === 'callers' && { sessionAccess: { for: 'callers' } }),
    pageModule: options.pageModule,
    reportLinks: config.reportLinks,
    thread: true,
    mayAsk: (model) => allows(current.getStore()?.admitted, model),
    onProblem,
    onEvent: (_, event) => metrics.event(event),
    onLearned(learned) {
      metrics.learned(learned)
      const { base, model, context, tokens } = learned
      const key = current.getStore()?.admitted.policy?.name ?? 'other'
      const upstream = new URL(base).host
      log.info(
        { key, upstream, model: model.slice(0, longestName), context, tokens },
        'learned a window',
      )
    },
    onAnswered(answered) {
      const exchange = current.getStore()
      if (exchange) exchange.answered = answered
    },
    ...(options.now && { now: options.now }),
  })

  async function deleteUnused(): Promise<void> {
    try {
      const kept = Math.round(config.retentionDays * day)
      const removed = await store.removeUnused(now() - kept, kept)
      if (removed > 0) log.info({ removed }, 'deleted what nobody has used for long')
    } catch (problem) {
      log.problem(problem, 'what nobody uses could not be deleted')
    }
  }
  const cleaning = setInterval(() => void deleteUnused(), hour)
  cleaning.unref()
  log.info({ url: gateway.url }, 'serving')
  const { store: place } = config
  if (place === undefined) log.warn({}, inMemory)
  else if (!isPostgres(place)) log.warn({ folder: place }, folderIsPlain)
  // A key of encryption that is not the store's is noticed here, too.
  void store.secret().then(deleteUnused, (problem: unknown) => {
    metrics.problem(problem)
    log.problem(problem, 'the store cannot be used yet, and long requests go out as they came')
  })

  return {
    url: gateway.url,
    reload() {
      try {
        config = readConfig(options)
        replace(upstreams, config.upstreams)
        replace(routes, config.routes)
        replace(sessions, config.sessions)
        identity.splice(0, identity.length, ...config.identity)
        dropHeaders.splice(0, dropHeaders.length, ...config.dropHeaders)
        log.info({}, 'the configuration was read again')
      } catch (problem) {
        log.problem(problem, 'the configuration stays as it was')
      }
    },
    async close() {
      clearInterval(cleaning)
      await ended(gateway, config.drainSeconds * 1_000, log)
      await upstream.close()
      await ledger.close()
      await store.close()
      log.info({}, 'ended')
    },
  }
}

// Of a model: what is longer is none.
const longestName = 100

const inMemory =
  'sessions are kept in memory and end with this process: name a store in THROUGHLINE_STORE'

function allows(admitted: Admitted | undefined, model: string | undefined): boolean {
  const models = admitted?.policy?.models
  return models === undefined || (model !== undefined && models.includes(model))
}

function readConfig({ configFile, config, env }: TeamOptions): TeamConfig {
  const read = configFile === undefined ? teamConfig(config ?? {}) : readTeamConfig(configFile)
  const over = configFile === undefined ? {} : { ...config }
  for (const name of ['upstreams', 'sessions'] as const) {
    if (over[name]) over[name] = { ...read[name], ...over[name] }
  }
  // Empty where a compose file passes on what nobody has set.
  const store = env['THROUGHLINE_STORE'] || undefined
  return { ...read, ...(store !== undefined && { store }), ...over } as TeamConfig
}

function openStore(
  { store: place, schema, connections }: TeamConfig,
  env: TeamOptions['env'],
  log: Log,
): GatewayStore {
  const named = env[keysVariable] ?? ''
  const isOff = named === 'none'
  const keys = isOff ? [] : keysIn(named, keysVariable)
  if (place !== undefined) checkPlace(place)
  if (place !== undefined && isPostgres(place)) {
    return postgresGatewayStore({
      url: place,
      connections,
      ...(isOff && { seal: openSeal }),
      ...(keys.length > 0 ? { seal: sealWith(keys) } : { ownKeys: keysFor(env, log) }),
      ...(schema !== undefined && { schema }),
    })
  }
  if (keys.length > 0) {
    throw new GatewayConfigError(keysVariable, [
      'only what is kept in Postgres can be encrypted: name a store that is postgres://…, or no keys',
    ])
  }
  return sqliteGatewayStore({ folder: place ?? ':memory:' })
}

const keysVariable = 'THROUGHLINE_ENCRYPTION_KEYS'

/** The keys that a store gets which nobody has named one for, in a file of this user. */
function keysFor(env: TeamOptions['env'], log: Log): OwnKeys {
  const data = env['XDG_DATA_HOME'] || join(homedir(), '.local', 'share')
  const file = env['THROUGHLINE_KEY_FILE'] || join(data, 'throughline', 'gateway.key')
  return ownKeys(file, () => log.warn({ file }, keyMade))
}

const keyMade =
  'made a key, with which what is stored is encrypted: keep this file, and give it to every replica, for nothing can be read without it'

function replace(held: Record<string, unknown>, by: Readonly<Record<string, unknown>>): void {
  for (const name of Object.keys(held)) delete held[name]
  Object.assign(held, by)
}

// What answers that were broken off have cost is still written, where the store can be reached.
const lastWrites = 10_000

/** Streams that run may end, but not for ever. */
async function ended(gateway: Gateway, patience: number, log: Log): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const tooLong = new Promise<true>((resolve) => {
    timer = setTimeout(resolve, patience + lastWrites, true)
  })
  const isLate = await Promise.race([gateway.close(patience), tooLong])
  clearTimeout(timer)
  if (isLate) log.warn({ patience }, 'some answers had not ended, and are broken off')
}

/** The status of an answer; a client that has gone before its end has not got it. */
function statusOf(outgoing: ServerResponse): number {
  return outgoing.destroyed && !outgoing.writableFinished ? clientGone : outgoing.statusCode
}
