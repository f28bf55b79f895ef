import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { NothingToUndoError, openSession, PinBudgetError, PinNotFoundError } from 'throughline'
import { exportSession } from 'throughline/formats'
import { bodyLimit } from 'hono/body-limit'
import { Hono, type Context } from 'hono'
import { callerOf, worldOf, type Caller } from '../identity/caller.ts'
import { fieldReader, fieldSpans } from '../body/spans.ts'
import { isSame } from '../identity/is-same.ts'
import { PageError } from '../pages/errors.ts'
import { refusalOf, type Refusal } from './refusals.ts'
import { reachOf, tokenHeader, type SessionAccess } from '../identity/session-access.ts'
import { apis } from '../wires/wire.ts'
import { apiFor } from '../wires/wires.ts'
import type { GatewayStore, Page, SessionRow, World } from '../store/gateway-store.ts'
import type { PageMaker } from '../pages/page-maker.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Session, Window } from 'throughline'

// More than the pins of the largest window.
const longestBody = 1024 * 1024
const endless: Window = { context: 100_000_000 }
const usualPage = 100
const longestPage = 1_000
// As long as somebody may look at what has just been done.
const linkLife = 10 * 60_000

export interface SessionApiOptions {
  store: GatewayStore
  sessions: Sessions
  access: SessionAccess | undefined
  /** The headers that tell callers apart. */
  identity: () => readonly string[]
  /** The operator's: with it in `x-throughline-admin`, all sessions can be listed and deleted. */
  adminToken?: string | undefined
  /** Makes pages on sessions, for a browser. */
  pages?: PageMaker | undefined
  /** Whether a caller may make a link to a page of its own, which opens without a key. */
  links: boolean
  /** The window of a model, of which pins may take a part; `undefined` where nobody knows it. */
  windowOf: (model: string) => Window | undefined
  now: () => number
  onProblem: (problem: unknown) => void
}

/** Whose sessions a request may see. */
type Reached = 'all' | { caller: Caller; worlds: readonly World[] }
type Work<Given> = (context: Context, given: Given) => Promise<Response>
type Handler = (context: Context) => Promise<Response>

/**
 * What a caller may do with its own sessions, where the operator lets it: see them, undo a compaction,
 * pin, and delete. A session of anybody else does not exist for it: nobody learns even that it is there.
 */
export function sessionApi(options: SessionApiOptions): Hono {
  const { store, sessions, access, adminToken, pages, windowOf, now, onProblem } = options
  const app = new Hono()
  app.onError((problem, context) => {
    if (PageError.isInstance(problem) && problem.why === 'busy') {
      const { message } = problem
      return refused(context, { status: 429, type: 'page_busy', message, again: 5 })
    }
    onProblem(problem)
    const isPage = PageError.isInstance(problem)
    const message = isPage ? problem.message : 'The store does not answer.'
    return refused(context, { status: 503, type: isPage ? 'page' : 'store', message })
  })

  app.use(
    bodyLimit({
      maxSize: longestBody,
      onError: (context) => {
        // What else it would have sent is not read.
        context.header('connection', 'close')
        const message = `The body is longer than ${longestBody} bytes.`
        return refused(context, { status: 413, type: 'body_too_large', message })
      },
    }),
  )

  /** Does work for who may see sessions; says to everybody else what to configure. */
  async function forCaller(context: Context, work: Work<Reached>): Promise<Response> {
    const identity = options.identity()
    const headers = context.req.header()
    const { search } = new URL(context.req.url)
    const caller = callerOf({ headers, search }, identity)
    const token = context.req.header(tokenHeader)
    const reach = reachOf(access, { caller, token, identity })
    if (typeof reach === 'object') return refused(context, { status: 403, ...reach })
    if (reach === 'all') return work(context, reach)
    const secret = await store.secret()
    const worlds = apis.map((api) => worldOf(secret, api, caller))
    return work(context, { caller, worlds })
  }

  const caller =
    (work: Work<Reached>): Handler =>
    (context) =>
      forCaller(context, work)
  const callerOrOperator =
    (work: Work<Reached>): Handler =>
    (context) => {
      const isOperator = isSame(context.req.header('x-throughline-admin'), adminToken)
      return isOperator ? work(context, 'all') : forCaller(context, work)
    }

  /** The same for one session. */
  const own =
    (work: Work<SessionRow>): Work<Reached> =>
    async (context, reach) => {
      const row = await store.session(context.req.param('id') ?? '')
      const isOwn = row && (reach === 'all' || reach.worlds.includes(row.world))
      return isOwn ? work(context, row) : unknown(context)
    }

  /** Does something with a session of the caller; the gateway reads it anew afterwards. */
  async function working(
    context: Context,
    row: SessionRow,
    work: (session: Session) => Promise<unknown>,
  ): Promise<Response> {
    await sessions.settle(row.id)
    const window = windowOf(row.model) ?? endless
    const session = await openSession({ store: store.logs, id: row.id, window })
    try {
      const said = await work(session)
      await sessions.forget(row.id)
      return context.json(said as object)
    } catch (error) {
      const isRefused =
        NothingToUndoError.isInstance(error) ||
        PinNotFoundError.isInstance(error) ||
        PinBudgetError.isInstance(error)
      if (!isRefused) throw error
      return refused(context, { status: 409, type: error.code, message: error.message })
    } finally {
      await session.close()
    }
  }

  async function pageOf(context: Context, row: SessionRow | undefined): Promise<Response> {
    if (!row || !pages) return unknown(context)
    await sessions.settle(row.id)
    const page = await pages.page(row, context.req.raw.signal)
    // Nothing of a session runs, and nothing else is fetched.
    context.header(
      'content-security-policy',
      "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
    context.header('content-type', 'text/html; charset=UTF-8')
    context.header('cache-control', 'no-store')
    context.header('referrer-policy', 'no-referrer')
    context.header('x-content-type-options', 'nosniff')
    return context.body(page as Uint8Array<ArrayBuffer>)
  }

  app.get(
    '/sessions',
    callerOrOperator(async (context, reach) => {
      const asked = Number(context.req.query('most') ?? usualPage)
      const most = Number.isInteger(asked) && asked > 0 ? Math.min(asked, longestPage) : usualPage
      const after = placeOf(context.req.query('after'))
      // One more, to know whether there are more.
      const page = { most: most + 1, ...(after && { after }) }
      const rows = await store.sessions(reach === 'all' ? undefined : reach.worlds, page)
      const last = rows.length > most ? rows[most - 1] : undefined
      const next = last && `${last.used}-${last.id}`
      return context.json({ sessions: rows.slice(0, most).map(shown), ...(next && { next }) })
    }),
  )
  app.delete(
    '/sessions',
    caller(async (context, reach) => {
      let deleted = 0
      const worlds = reach === 'all' ? undefined : reach.worlds
      for (;;) {
        const rows = await store.sessions(worlds, { most: longestPage })
        if (rows.length === 0) {
          await sessions.forgetCaller(reach === 'all' ? undefined : reach.caller)
          return context.json({ deleted })
        }
        for (const { id } of rows) {
          await sessions.forget(id)
          await store.remove(id)
          deleted += 1
        }
      }
    }),
  )
  app.get(
    '/sessions/:id/export',
    caller(
      own(async (context, { id }) => {
        await sessions.settle(id)
        // It surely fitted, and no log of it was begun.
        if ((await store.newest(id)) === 0) return unknown(context)
        context.header('content-type', 'application/jsonl')
        context.header('cache-control', 'no-store')
        const lines = Readable.from(encoded(exportSession(store.logs, id)))
        return context.body(Readable.toWeb(lines) as ReadableStream)
      }),
    ),
  )
  app.get(
    '/sessions/:id',
    caller(
      own((context, row) =>
        working(context, row, async (session) => {
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
      ),
    ),
  )
  app.get('/sessions/:id/report', caller(own(pageOf)))
  // What it opens with is in the query, which no log of ours holds.
  app.get('/report', async (context) => {
    const hash = hashOf(context.req.query('link') ?? '')
    const id = options.links ? await store.linked(hash, now()) : undefined
    return pageOf(context, id === undefined ? undefined : await store.session(id))
  })
  const link = own(async (context, { id }) => {
    const said = randomBytes(32).toString('base64url')
    const until = now() + linkLife
    await store.link(id, { hash: hashOf(said), until })
    context.header('cache-control', 'no-store')
    const url = `/throughline/report?link=${said}`
    return context.json({ url, until: new Date(until).toISOString() }, 201)
  })
  app.post(
    '/sessions/:id/links',
    caller(async (context, reach) => {
      if (options.links && pages) return link(context, reach)
      return refused(context, { status: 403, type: 'report_links_off', message: linksOff })
    }),
  )
  app.delete(
    '/sessions/:id/links',
    caller(
      own(async (context, { id }) => {
        await store.unlink(id)
        return context.body(null, 204)
      }),
    ),
  )
  app.post(
    '/sessions/:id/undo',
    caller(
      own((context, row) =>
        working(context, row, async (session) => {
          const { kind, seq } = await session.undo()
          return { undone: { kind, seq } }
        }),
      ),
    ),
  )
  app.post(
    '/sessions/:id/pins',
    caller(
      own(async (context, row) => {
        const body = Buffer.from(await context.req.arrayBuffer())
        const text = fieldReader(body, fieldSpans(body) ?? new Map())('text')
        if (typeof text !== 'string' || text.trim() === '') {
          const message = 'Give the text to keep: {"text": "…"}.'
          return refused(context, { status: 400, type: 'invalid_pin', message })
        }
        return working(context, row, async (session) => ({ pinned: await session.pin(text) }))
      }),
    ),
  )
  app.delete(
    '/sessions/:id/pins/:seq',
    caller(
      own((context, row) =>
        working(context, row, async (session) => {
          await session.unpin(Number(context.req.param('seq')))
          return { unpinned: Number(context.req.param('seq')) }
        }),
      ),
    ),
  )
  app.delete(
    '/sessions/:id',
    callerOrOperator(
      own(async (context, { id }) => {
        await sessions.forget(id)
        await store.remove(id)
        return context.body(null, 204)
      }),
    ),
  )
  // An address that nobody serves here, with its session and its sign, is nobody else's business.
  app.all('*', (context) => {
    const message = 'Nothing is served here: GET /throughline/sessions lists your sessions.'
    return refused(context, { status: 404, type: 'not_found', message })
  })
  return app
}

async function* encoded(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  for await (const line of lines) yield encoder.encode(line)
}

/** Where a page of a list begins: behind the session that the page before has named. */
function placeOf(next: string | undefined): Page['after'] {
  const [, used, id] = /^(\d{1,15})-(.{1,200})$/.exec(next ?? '') ?? []
  return used === undefined || id === undefined ? undefined : { used: Number(used), id }
}

const linksOff =
  'Links to reports are off. The operator turns them on: "reportLinks": true in the configuration, or throughline serve --report-links.'

/** A link is as good as a key: what is kept opens nothing. */
function hashOf(link: string): string {
  return createHash('sha256').update(link).digest('hex')
}

function shown({ id, model, created, used }: SessionRow): object {
  return { id, model, created, used }
}

function unknown(context: Context): Response {
  const message = 'There is no such session of yours: ask with the key with which it asks.'
  return refused(context, { status: 404, type: 'not_found', message })
}

/** In the words of the provider whose key it carries: its client knows them. */
function refused(context: Context, refusal: Refusal): Response {
  const { path } = context.req
  const { status, headers, body } = refusalOf(apiFor(path, context.req.header()), refusal)
  for (const [name, value] of Object.entries(headers)) context.header(name, value)
  return context.body(body, status)
}
