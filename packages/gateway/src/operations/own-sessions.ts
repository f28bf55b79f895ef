import { timingSafeEqual } from 'node:crypto'
import { worldOf } from '../identity/caller.ts'
import type { GatewayStore, World } from '../store/gateway-store.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'

interface Places {
  store: GatewayStore
  adminToken: string | undefined
  forget: (session: string) => Promise<void>
}

/**
 * `GET /sessions` and `DELETE /sessions/<id>`: a caller's own, known by the key that it would send to
 * a provider; with the operator's token in `x-throughline-admin`, everyone's. Of the sessions of
 * others nobody learns even that they exist.
 * @returns whether it was such a request.
 */
export async function answerOwnSessions(
  { store, adminToken, forget }: Places,
  { incoming, outgoing }: { incoming: IncomingMessage; outgoing: ServerResponse },
): Promise<boolean> {
  const [path = '', query = ''] = (incoming.url ?? '').split('?', 2)
  const [, root, id, ...more] = path.split('/')
  if (root !== 'sessions' || more.length > 0) return false
  const secret = await store.secret()
  const isAdmin = isSame(incoming.headers['x-throughline-admin'], adminToken)
  const search = `?${query}`
  // Who sends no key shares a world with everyone who sends none, and may not look into it.
  const own = hasKey(incoming.headers, search)
    ? (['openai', 'anthropic', 'gemini'] as const).map((api) =>
        worldOf(secret, { api, headers: incoming.headers, search }),
      )
    : []
  const mayUse = (world: World): boolean => isAdmin || own.includes(world)
  if (incoming.method === 'GET' && id === undefined) {
    const rows = isAdmin
      ? await store.sessions()
      : (await Promise.all(own.map((world) => store.sessions(world)))).flat()
    say(outgoing, 200, {
      sessions: rows.map(({ id: name, model, created, used }) => ({
        id: name,
        model,
        created,
        used,
      })),
    })
    return true
  }
  if (incoming.method === 'DELETE' && id !== undefined) {
    const row = await store.session(decodeURIComponent(id))
    if (!row || !mayUse(row.world)) {
      say(outgoing, 404, { error: { type: 'not_found', message: 'You have no such session.' } })
      return true
    }
    await forget(row.id)
    await store.remove(row.id)
    say(outgoing, 200, { deleted: row.id })
    return true
  }
  say(outgoing, 405, {
    error: { type: 'not_allowed', message: 'GET /sessions, DELETE /sessions/<id>.' },
  })
  return true
}

function hasKey(headers: IncomingMessage['headers'], search: string): boolean {
  const named = ['authorization', 'x-api-key', 'x-goog-api-key', 'api-key']
  return named.some((name) => headers[name]) || new URLSearchParams(search).has('key')
}

export function isSame(given: unknown, token: string | undefined): boolean {
  if (typeof given !== 'string' || token === undefined || token === '') return false
  const [one, other] = [Buffer.from(given), Buffer.from(token)]
  return one.length === other.length && timingSafeEqual(one, other)
}

function say(outgoing: ServerResponse, status: number, body: object): void {
  outgoing.writeHead(status, { 'content-type': 'application/json' })
  outgoing.end(JSON.stringify(body))
}
