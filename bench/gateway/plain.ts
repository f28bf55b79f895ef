import { createAdaptorServer, type HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono } from 'hono'
import { pipeline } from 'node:stream/promises'
import { Agent, type Dispatcher } from 'undici'
import type { AddressInfo } from 'node:net'
import type { Server } from 'node:http'

const ofTheConnection = new Set(['connection', 'content-length', 'host', 'transfer-encoding'])

/** The least that can stand between a client and its provider, on the same libraries. */
export async function startPlain(upstream: string): Promise<string> {
  const agent = new Agent()
  const app = new Hono<{ Bindings: HttpBindings }>()
  app.all('*', async ({ env: { incoming, outgoing } }) => {
    const answer = await agent.request({
      origin: upstream,
      path: incoming.url ?? '/',
      method: incoming.method as Dispatcher.HttpMethod,
      headers: passed(incoming.headers),
      body: incoming,
    })
    outgoing.writeHead(answer.statusCode, passed(answer.headers))
    outgoing.flushHeaders()
    await pipeline(answer.body, outgoing)
    return RESPONSE_ALREADY_SENT
  })
  const server = createAdaptorServer({
    fetch: (request, env) => app.fetch(request, env),
    autoCleanupIncoming: false,
  }) as Server
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function passed(headers: Readonly<Record<string, string | string[] | undefined>>) {
  return Object.fromEntries(
    Object.entries(headers).filter(
      (one): one is [string, string | string[]] =>
        one[1] !== undefined && !ofTheConnection.has(one[0]),
    ),
  )
}
