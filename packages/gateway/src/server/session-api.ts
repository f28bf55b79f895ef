import { NothingToUndoError, openSession, PinBudgetError, PinNotFoundError } from 'throughline'
import { bodyLimit } from 'hono/body-limit'
import { Hono } from 'hono'
import { isInvited, isSame } from '../identity/report-link.ts'
import { keysOf, worldOf } from '../identity/caller.ts'
import type { Context } from 'hono'
import type { Api } from '../wires/wire.ts'
import type { GatewayStore, SessionRow, World } from '../store/gateway-store.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Chronological } from 'throughline/engine'
import type { Session, Window } from 'throughline'

// More than the pins of the largest window.
const longestBody = 1024 * 1024
const endless: Window = { context: 100_000_000 }

const apis: readonly Api[] = ['openai', 'anthropic', 'gemini']

/** What the addresses of sessions are made of. */
export interface SessionApiOptions {
  store: GatewayStore
  sessions: Sessions
  /** The operator's: with it in `x-throughline-admin`, all sessions can be listed and deleted. */
  adminToken?: string | undefined
  /** A page on a session, for a browser. */
  reportPage?: ReportPage | undefined
  /** The window of a model, of which pins may take a part; `undefined` where nobody knows it. */
  windowOf: (model: string) => Window | undefined
  now: () => number
  onProblem: (problem: unknown) => void
}

/** Makes the page of a report out of a session's log. */
export type ReportPage = (log: Chronological, of: { id: string; model: string }) => Promise<string>

/**
 * What a caller may do with its own sessions, by the key with which it asks its provider: see them,
 * undo a compaction, pin, and delete. A session of anybody else does not exist for it: nobody learns
 * even that it is there.
 */
export function sessionApi(options: SessionApiOptions): Hono {
  const { store, sessions, adminToken, reportPage, windowOf, now, onProblem } = options
  const app = new Hono()
  app.onError((problem, context) => {
    onProblem(problem)
    const message = 'The store does not answer.'
    return context.json({ error: { type: 'store', message } }, 503)
  })

  app.use(
    bodyLimit({
      maxSize: longestBody,
      onError: (context) => {
        // What else it would have sent is not read.
        context.header('connection', 'close')
        const message = `The body is longer than ${longestBody} bytes.`
        return context.json({ error: { type: 'body_too_large', message } }, 413)
      },
    }),
  )

  const isAdmin = (context: Context): boolean =>
    isSame(context.req.header('x-throughline-admin'), adminToken)

  async function worldsOf(context: Context): Promise<readonly World[]> {
    const secret = await store.secret()
    const headers = context.req.header()
    const { search } = new URL(context.req.url)
    return keysOf({ headers, search }).some((key) => key !== '')
      ? apis.map((api) => worldOf(secret, { api, headers, search }))
      : []
  }

  /** Does something with a session of the caller; the gateway reads it anew afterwards. */
  async function withOwn(
    context: Context,
    work: (session: Session, row: SessionRow) => Promise<unknown>,
  ): Promise<Response> {
    const row = await ownRow(context)
    if (!row) return unknown(context)
    await sessions.settle(row.id)
    const window = windowOf(row.model) ?? endless
    const session = await openSession({ store: store.logs, id: row.id, window })
    try {
      const said = await work(session, row)
      await sessions.forget(row.id)
      return context.json(said as object)
    } catch (error) {
      const isRefused =
        NothingToUndoError.isInstance(error) ||
        PinNotFoundError.isInstance(error) ||
        PinBudgetError.isInstance(error)
      if (!isRefused) throw error
      return context.json({ error: { type: error.code, message: error.message } }, 409)
    } finally {
      await session.close()
    }
  }

  async function ownRow(context: Context): Promise<SessionRow | undefined> {
    const row = await store.session(context.req.param('id') ?? '')
    if (!row) return undefined
    return (await worldsOf(context)).includes(row.world) ? row : undefined
  }

  app.get('/sessions', async (context) => {
    const rows = isAdmin(context)
      ? await store.sessions()
      : await Promise.all((await worldsOf(context)).map((world) => store.sessions(world)))
    const all = rows.flat().sort((a, b) => b.used - a.used)
    return context.json({ sessions: all.map(shown) })
  })
  app.get('/sessions/:id', (context) =>
    withOwn(context, async (session, row) => {
      const { checkpoint, pins } = session.context()
      return {
        ...shown(row),
        entries: session.context().seq,
        pins: [...pins.values()].map(({ seq, text }) => ({ seq, text })),
        ...(checkpoint && {
          checkpoint: {
            seq: checkpoint.seq,
            summarizer: checkpoint.summarizer,
            summary: checkpoint.summary,
          },
        }),
      }
    }),
  )
  app.get('/sessions/:id/report', async (context) => {
    const id = context.req.param('id')
    const { until, sign } = context.req.query()
    const mayRead = isInvited(await store.secret(), { id, until, sign }, now())
    const row = mayRead ? await store.session(id) : await ownRow(context)
    if (!row || !reportPage) return unknown(context)
    await sessions.settle(id)
    const log = await store.logs.read(id)
    // Nothing of a session runs, and nothing else is fetched.
    context.header(
      'content-security-policy',
      "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
    context.header('cache-control', 'no-store')
    context.header('referrer-policy', 'no-referrer')
    context.header('x-content-type-options', 'nosniff')
    return context.html(await reportPage(log as unknown as Chronological, row))
  })
  app.post('/sessions/:id/undo', (context) =>
    withOwn(context, async (session) => {
      const { kind, seq } = await session.undo()
      return { undone: { kind, seq } }
    }),
  )
  app.post('/sessions/:id/pins', async (context) => {
    const body: unknown = await context.req.json().catch(() => undefined)
    const text = typeof body === 'object' && body !== null && 'text' in body ? body.text : undefined
    if (typeof text !== 'string' || text.trim() === '') {
      const message = 'Give the text to keep: {"text": "…"}.'
      return context.json({ error: { type: 'invalid_pin', message } }, 400)
    }
    return withOwn(context, async (session) => ({ pinned: await session.pin(text) }))
  })
  app.delete('/sessions/:id/pins/:seq', (context) =>
    withOwn(context, async (session) => {
      await session.unpin(Number(context.req.param('seq')))
      return { unpinned: Number(context.req.param('seq')) }
    }),
  )
  app.delete('/sessions/:id', async (context) => {
    const row = isAdmin(context)
      ? await store.session(context.req.param('id'))
      : await ownRow(context)
    if (!row) return unknown(context)
    await sessions.forget(row.id)
    await store.remove(row.id)
    return context.body(null, 204)
  })
  // An address that nobody serves here, with its session and its sign, is nobody else's business.
  app.all('*', (context) => {
    const message = 'Nothing is served here: GET /throughline/sessions lists your sessions.'
    return context.json({ error: { type: 'not_found', message } }, 404)
  })
  return app
}

function shown({ id, model, created, used }: SessionRow): object {
  return { id, model, created, used }
}

function unknown(context: Context): Response {
  const message = 'There is no such session of yours: ask with the key with which it asks.'
  return context.json({ error: { type: 'not_found', message } }, 404)
}
