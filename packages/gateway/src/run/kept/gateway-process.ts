import { rm } from 'node:fs/promises'
import { carried } from '../../engine/errors.ts'
import { compactedOf } from '../tally.ts'
import { isRunning } from './is-running.ts'
import { sqliteGatewayStore } from '../../store/sqlite-gateway-store.ts'
import { startGateway, type Gateway } from '../../server/gateway.ts'
import type { FromGateway, ToGateway, Work } from './protocol.ts'
import type { GatewayStore } from '../../store/gateway-store.ts'

// The code of a process: the gateway of one run, and nothing else.
const oneLook = 500

const routes: Record<string, string> = {}
const upstreams: Record<string, string> = {}
let work: Work | undefined
let store: GatewayStore | undefined
let gateway: Promise<Gateway> | undefined
let client: number | undefined
let isAlone = false
let ended: Promise<void> | undefined

function say(message: FromGateway): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => {})
}

/** Ends the process when all that was said has gone out. */
function leave(last: FromGateway, code: number): void {
  if (!process.connected) process.exit(code)
  process.send?.(last, undefined, undefined, () => process.exit(code))
}

function open(given: Work): void {
  work = given
  store = sqliteGatewayStore({ folder: given.folder })
  say({ is: 'opened' })
}

async function listen(port: number): Promise<void> {
  if (!work || !store) return
  const { settings, pageModule, token } = work
  gateway = startGateway({
    port,
    store,
    upstreams,
    routes,
    sessions: settings,
    thread: true,
    onEvent: (session, event) => {
      if (event.type !== 'compaction-finished') return
      say({ is: 'compacted', session, report: compactedOf(event.report) })
    },
    onAnswered: (answered) => say({ is: 'answered', answered }),
    pageModule,
    // It serves one user, and ends with its client.
    sessionAccess: { for: 'one-user', token },
    reportLinks: true,
  })
  const { url } = await gateway
  say({ is: 'listening', url })
}

function end(): Promise<void> {
  ended ??= (async () => {
    await (await gateway?.catch(() => undefined))?.close()
    await store?.close()
    if (isAlone && work) await rm(work.own, { recursive: true, force: true })
    leave({ is: 'ended' }, 0)
  })()
  return ended
}

/** Nobody is left who says when the client has ended. */
function alone(): void {
  isAlone = true
  if (client !== undefined && isRunning(client)) setTimeout(alone, oneLook)
  else void end()
}

async function hear(message: ToGateway): Promise<void> {
  switch (message.is) {
    case 'open':
      return open(message.work)
    case 'listen':
      return listen(message.port)
    case 'targets':
      Object.assign(routes, message.targets.routes)
      Object.assign(upstreams, message.targets.upstreams)
      return
    case 'client':
      client = message.pid
      return
    case 'end':
      return end()
  }
}

// The terminal and a group's signals are the client's, and the gateway lives as long as that.
process.on('SIGINT', () => {})
for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (isAlone && signal === 'SIGTERM') void end()
  })
}
// Who reads it may be gone.
process.stderr.on('error', () => {})
process.once('disconnect', alone)
process.on('message', (message: ToGateway) => {
  hear(message).catch((error: unknown) => {
    leave({ is: 'failed', error: carried(error) }, 1)
  })
})
