import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { parsedJson } from '../../../json/fields.ts'
import { CommandError, codeOf } from '../../errors.ts'

/** What a reader may do to a stored session. */
const changeNames = ['undo', 'pin', 'unpin', 'annotate'] as const
export type ChangeName = (typeof changeNames)[number]

/** What a server of one page has to offer. */
interface Served {
  /** The part of the address that only the reader knows. */
  token: string
  port: number
  page: () => Promise<string>
  report: () => Promise<string>
  /** Missing where nothing can be changed. */
  change: ((name: ChangeName, body: unknown) => Promise<void>) | undefined
}

interface Serving {
  url: string
  /** Tells every open page that the session has changed. */
  changed: () => void
  close: () => Promise<void>
}

const host = '127.0.0.1'
const longestBody = 64 * 1024

/**
 * Serves a page on this machine alone. A request without the token gets nothing, and a request that
 * another site makes a browser send has another host or origin.
 * @throws CommandError if the port is taken.
 */
export async function servePage(served: Served): Promise<Serving> {
  // It takes longer to load than a list of sessions takes to print.
  const { createServer } = await import('node:http')
  const pages = new Set<ServerResponse>()
  let origin = ''
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (!response.headersSent) fail(response, 500, messageOf(error))
      else response.destroy()
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(cannotListen(served.port, error)))
    server.listen(served.port, host, resolve)
  })
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : served.port
  origin = `http://${host}:${port}`

  return {
    url: `${origin}/${served.token}/`,
    changed() {
      for (const page of pages) page.write('event: changed\ndata: 1\n\n')
    },
    async close() {
      for (const page of pages) page.end()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    setHeaders(response)
    if (request.headers.host !== `${host}:${port}`) return fail(response, 403, 'another host')
    const [, token = '', name = '', ...more] = (request.url ?? '').split('/')
    if (!isSame(token, served.token) || more.length > 0) return fail(response, 404, 'nothing here')
    if (request.method === 'POST') return changeFor(name, request, response)
    if (request.method !== 'GET') return fail(response, 405, 'another method')
    if (name === '') return send(response, 'text/html; charset=utf-8', await served.page())
    if (name === 'report.json') return send(response, 'application/json', await served.report())
    if (name === 'events') return follow(response)
    return fail(response, 404, 'nothing here')
  }

  async function changeFor(
    name: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { origin: from, 'content-type': type } = request.headers
    if (from !== origin) return fail(response, 403, 'another page')
    if (type !== 'application/json') return fail(response, 415, 'not JSON')
    const known = changeNames.find((each) => each === name)
    if (!known || !served.change) return fail(response, 404, 'this session cannot be changed here')
    const body = await bodyOf(request)
    if (body === undefined) return fail(response, 413, 'too long, or not JSON')
    try {
      await served.change(known, body)
    } catch (error) {
      return fail(response, 409, messageOf(error))
    }
    send(response, 'application/json', '{}')
  }

  function follow(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('retry: 2000\n\n')
    pages.add(response)
    response.on('close', () => pages.delete(response))
  }
}

function setHeaders(response: ServerResponse): void {
  response.setHeader('cache-control', 'no-store')
  response.setHeader('content-security-policy', "frame-ancestors 'none'")
  response.setHeader('cross-origin-resource-policy', 'same-origin')
  response.setHeader('cross-origin-opener-policy', 'same-origin')
  response.setHeader('referrer-policy', 'no-referrer')
  response.setHeader('x-content-type-options', 'nosniff')
}

function send(response: ServerResponse, type: string, text: string): void {
  response.writeHead(200, { 'content-type': type })
  response.end(text)
}

function fail(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' })
  response.end(message)
}

/** The JSON that was sent; `undefined` if it is none, or too long. */
async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > longestBody) return undefined
    chunks.push(chunk)
  }
  return parsedJson(Buffer.concat(chunks).toString('utf8'))
}

/** Whether two words are the same, in a time that tells nothing of them. */
function isSame(one: string, other: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(one), hash(other))
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function cannotListen(port: number, error: unknown): CommandError {
  const why = codeOf(error) === 'EADDRINUSE' ? 'it is in use' : codeOf(error)
  return new CommandError(
    `port ${port} of this machine cannot be used: ${why}. Name another with --port, or none.`,
    { cause: error },
  )
}
