import { hash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  createServer,
  request,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { memoryGatewayStore } from '../store/sqlite-gateway-store.ts'
import { startGateway, type Gateway } from './gateway.ts'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'

interface Heard {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: Buffer
}

const open: { close: () => unknown }[] = []

afterEach(async () => {
  for (const each of open.splice(0).toReversed()) await each.close()
})

/** A provider that hears every byte, and answers as it is told. */
async function provider(answer: (outgoing: ServerResponse) => void) {
  const heard: Heard[] = []
  const server: Server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const { method = '', url = '', headers } = incoming
      heard.push({ method, url, headers, body: Buffer.concat(chunks) })
      answer(outgoing)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push({
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard }
}

async function gatewayTo(url: string, options = {}): Promise<Gateway> {
  const upstreams = { openai: `${url}/v1`, anthropic: url, gemini: url }
  const gateway = await startGateway({ upstreams, store: memoryGatewayStore(), ...options })
  open.push(gateway)
  return gateway
}

const odd =
  '{ "model":"m",\n "messages" : [ {"role":"user","content":"\\u00e9\\ud83d x"} ], "new": 1.0 }'

const paths = [
  '/v1/chat/completions',
  '/v1/responses?include=usage',
  '/v1/responses?include=a?b&c=?d??',
  '/v1/messages',
  '/v1/messages/count_tokens?beta=true',
  '/v1beta/models/m-1:generateContent',
  '/v1beta/models/m-1:streamGenerateContent?alt=sse',
  '/v1/embeddings',
  '/v1/never-heard-of',
  '/v1/messages/',
  '/v1//files///a%2Fb/',
  '//v1/files//',
  '/v1/chat/completions/?a=1',
]

describe('what passes', () => {
  it.each(paths)('is byte for byte what came and went at %s', async (path) => {
    const given = Buffer.from([0, 1, 2, 255, 10, 13])
    const { url, heard } = await provider((outgoing) => {
      outgoing.writeHead(207, { 'content-type': 'x/y', 'x-own': ['a', 'b'], 'request-id': 'r' })
      outgoing.end(given)
    })
    const gateway = await gatewayTo(url)
    const headers = { authorization: 'Bearer k', 'x-throughline-own': '1', 'x-odd': 'yes' }
    const answer = await fetch(gateway.url + path, { method: 'POST', headers, body: odd })
    expect(answer.status).toBe(207)
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(given)
    expect(answer.headers.get('x-own')).toBe('a, b')
    expect(answer.headers.get('request-id')).toBe('r')
    const [received] = heard
    expect(received?.url).toBe(path)
    expect(received?.body.toString()).toBe(odd)
    expect(received?.headers).toMatchObject({ authorization: 'Bearer k', 'x-odd': 'yes' })
    expect(received?.headers['x-throughline-own']).toBeUndefined()
  })

  it('comes as it is said, not when all of it has been said', async () => {
    let go = (): void => {}
    const { url } = await provider((outgoing) => {
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
      outgoing.write('data: 1\n\n')
      go = () => outgoing.end('data: 2\n\n')
    })
    const gateway = await gatewayTo(url)
    const answer = await fetch(`${gateway.url}/v1/messages`, { method: 'POST', body: odd })
    const reader = answer.body?.getReader()
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('data: 1\n\n')
    go()
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('data: 2\n\n')
  })

  it('is the same bytes where it comes in many pieces, also of several at a time', async () => {
    const { url, heard } = await provider((outgoing) => outgoing.end('{}'))
    const gateway = await gatewayTo(url)
    const bodies = Array.from({ length: 6 }, () => randomBytes(1_500_000))
    const again = bodies.concat(bodies.toReversed())
    await Promise.all(
      again.map((body) => fetch(`${gateway.url}/v1/files`, { method: 'POST', body })),
    )
    const hashes = (all: readonly Buffer[]) => all.map((body) => hash('sha256', body)).sort()
    expect(hashes(heard.map(({ body }) => body))).toEqual(hashes(again))
  })

  it('is an upload of any length, which is passed on as it comes', async () => {
    let heard = 0
    const server = createServer((incoming, outgoing) => {
      incoming.on('data', (chunk: Buffer) => (heard += chunk.length))
      incoming.on('end', () => outgoing.end('{}'))
    }).listen(0, '127.0.0.1')
    open.push(server)
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const gateway = await gatewayTo(url, { bodyLimit: 1_000, bodiesLimit: 1_000 })
    const length = 3_000_000
    const asked = request(`${gateway.url}/v1/files`, {
      method: 'POST',
      headers: { 'content-length': length },
    })
    asked.write(Buffer.alloc(length - 1))
    await expect.poll(() => heard).toBe(length - 1)
    const answer = once(asked, 'response') as Promise<[IncomingMessage]>
    asked.end('x')
    expect((await answer)[0].statusCode).toBe(200)
    expect(heard).toBe(length)
  })

  it('says how long it is where it is not touched, also where only that is asked', async () => {
    const { url, heard } = await provider((outgoing) => {
      outgoing.writeHead(206, { 'content-length': 5, 'content-range': 'bytes 0-4/9' }).end('01234')
    })
    const gateway = await gatewayTo(url)
    const at = `${gateway.url}/v1/files/f/content`
    for (const method of ['GET', 'HEAD']) {
      const answer = await fetch(at, { method, headers: { range: 'bytes=0-4' } })
      expect([answer.status, answer.headers.get('content-range')]).toEqual([206, 'bytes 0-4/9'])
      expect(answer.headers.get('content-length')).toBe('5')
      expect(await answer.text()).toBe(method === 'HEAD' ? '' : '01234')
    }
    await fetch(at, { method: 'POST', body: 'four' })
    expect(heard.map(({ method }) => method)).toEqual(['GET', 'HEAD', 'POST'])
    expect(heard[0]?.headers['range']).toBe('bytes=0-4')
    expect(heard[2]?.headers['content-length']).toBe('4')
    const whole = await fetch(`${gateway.url}/v1/messages`, { method: 'POST', body: odd })
    expect(whole.headers.get('content-length')).toBe('5')
  })

  it('is a lone question mark, too', async () => {
    const { url, heard } = await provider((outgoing) => outgoing.end('{}'))
    const { hostname, port } = new URL((await gatewayTo(url)).url)
    const [answer] = await once(request({ hostname, port, path: '/v1/files/?' }).end(), 'response')
    ;(answer as IncomingMessage).resume()
    expect(heard[0]?.url).toBe('/v1/files/?')
  })

  it('has the same letters in its headers, also where they are Latin-1', async () => {
    const { url, heard } = await provider((outgoing) => {
      outgoing.writeHead(200, { 'x-name': 'caf\u00e9 \u00ff' }).end(Buffer.from('{}'))
    })
    const gateway = await gatewayTo(url)
    for (const path of ['/v1/messages', '/v1/files']) {
      const asked = request(gateway.url + path, { method: 'POST', headers: { 'x-name': '\u00fc' } })
      const [answer] = (await once(asked.end(Buffer.from(odd)), 'response')) as [IncomingMessage]
      answer.resume()
      expect(answer.headers['x-name']).toBe('caf\u00e9 \u00ff')
    }
    expect(heard.map(({ headers }) => headers['x-name'])).toEqual(['\u00fc', '\u00fc'])
  })

  it.each([
    ['by default', {}, ['cookie', 'forwarded', 'via', 'x-forwarded-for', 'x-real-ip']],
    ['as the operator lists them', { dropHeaders: ['x-real-*'] }, ['x-real-ip']],
  ])('tells no provider of the network before it, %s', async (_, options, dropped) => {
    const { url, heard } = await provider((outgoing) => outgoing.end('{}'))
    const gateway = await gatewayTo(url, options)
    const headers = {
      cookie: 'sso=secret',
      forwarded: 'for=10.0.0.7',
      via: '1.1 proxy',
      'x-forwarded-for': '10.0.0.7',
      'x-real-ip': '10.0.0.7',
      te: 'trailers',
      'proxy-authorization': 'Basic x',
      connection: 'close, x-hop',
      'x-hop': '1',
      'x-odd': 'yes',
    }
    for (const path of ['/v1/messages', '/v1/files']) {
      const asked = request(gateway.url + path, { method: 'POST', headers })
      const [answer] = (await once(asked.end(odd), 'response')) as [IncomingMessage]
      answer.resume()
    }
    expect(heard).toHaveLength(2)
    const hop = ['te', 'proxy-authorization', 'x-hop']
    for (const { headers: came } of heard) {
      const missing = Object.keys(headers).filter(
        (name) => name !== 'connection' && !(name in came),
      )
      expect(missing.sort()).toEqual([...dropped, ...hop].sort())
    }
  })

  it('may be encoded, and is then passed on encoded', async () => {
    const { url, heard } = await provider((outgoing) => outgoing.end('{}'))
    const gateway = await gatewayTo(url)
    const body = gzipSync(odd)
    const headers = { 'content-encoding': 'gzip' }
    await fetch(`${gateway.url}/v1/responses`, { method: 'POST', headers, body })
    expect(heard[0]?.body).toEqual(body)
    expect(heard[0]?.headers['content-encoding']).toBe('gzip')
  })

  it('may be no request for an answer, and have no body', async () => {
    const { url, heard } = await provider((outgoing) => outgoing.end('[]'))
    const gateway = await gatewayTo(url)
    expect(await (await fetch(`${gateway.url}/v1/models?x=1`)).text()).toBe('[]')
    expect(heard).toMatchObject([{ method: 'GET', url: '/v1/models?x=1' }])
  })

  it('is an error of the provider too, in its own words', async () => {
    const { url } = await provider((outgoing) => {
      outgoing.writeHead(429, { 'retry-after': '7' })
      outgoing.end('slow down')
    })
    const gateway = await gatewayTo(url)
    const answer = await fetch(`${gateway.url}/v1/messages`, { method: 'POST', body: odd })
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '7'])
    expect(await answer.text()).toBe('slow down')
  })
})

describe('a gateway', () => {
  it('says that a provider cannot be reached', async () => {
    const gateway = await gatewayTo('http://127.0.0.1:1')
    const answer = await fetch(`${gateway.url}/v1/messages`, { method: 'POST', body: odd })
    expect(answer.status).toBe(502)
    expect(await answer.text()).toContain('cannot be reached')
  })

  it('cuts the client off where the provider breaks off', async () => {
    const { url } = await provider((outgoing) => {
      outgoing.writeHead(200)
      outgoing.write('half', () => outgoing.destroy())
    })
    const gateway = await gatewayTo(url)
    const answer = await fetch(`${gateway.url}/v1/messages`, { method: 'POST', body: odd })
    await expect(answer.text()).rejects.toThrow()
  })

  it('tells the provider when the client has gone', async () => {
    let closed = (): void => {}
    const isClosed = new Promise<void>((resolve) => (closed = resolve))
    const { url, heard } = await provider((outgoing) => {
      outgoing.once('close', () => closed())
    })
    const gateway = await gatewayTo(url)
    const leave = new AbortController()
    const { signal } = leave
    const answer = fetch(`${gateway.url}/v1/messages`, { method: 'POST', body: odd, signal })
    while (heard.length === 0) await new Promise(setImmediate)
    leave.abort()
    await expect(answer).rejects.toThrow()
    await isClosed
  })

  it('stops an answer that nobody reads any more, and ends', async () => {
    let closed = (): void => {}
    const isClosed = new Promise<void>((resolve) => (closed = resolve))
    const { url } = await provider((outgoing) => {
      outgoing.once('close', () => closed())
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
      const event = `data: {"word":"${'x'.repeat(100_000)}"}\n\n`
      const write = (): void => {
        while (!outgoing.destroyed && outgoing.write(event));
        outgoing.once('drain', write)
      }
      write()
    })
    const gateway = await gatewayTo(url)
    // More than all buffers on the way hold: the gateway waits for a client that doesn't read.
    const asked = request(`${gateway.url}/v1/messages`, { method: 'POST' })
    const answer = new Promise<IncomingMessage>((resolve) => asked.on('response', resolve))
    asked.on('error', () => {}).end(odd)
    const incoming = await answer
    incoming.on('error', () => {})
    for await (const _ of incoming.iterator({ destroyOnReturn: false })) break
    await new Promise((resolve) => setTimeout(resolve, 50))
    asked.destroy()
    await isClosed
  })

  it('takes no body above its limit', async () => {
    const { url, heard } = await provider((outgoing) => outgoing.end())
    const gateway = await gatewayTo(url, { bodyLimit: 10 })
    const answer = await fetch(`${gateway.url}/v1/messages`, { method: 'POST', body: odd })
    expect(answer.status).toBe(413)
    expect(heard).toEqual([])
  })

  it('says that it is well', async () => {
    const { url } = await provider((outgoing) => outgoing.end())
    const gateway = await gatewayTo(url)
    expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200)
    expect((await fetch(`${gateway.url}/readyz`)).status).toBe(200)
  })

  it('sends a client that wants a websocket where it follows sessions back to plain requests', async () => {
    const { url, heard } = await provider((outgoing) => outgoing.end())
    const gateway = await gatewayTo(url)
    const { answer } = await upgrade(gateway, '/v1/responses')
    expect([answer?.statusCode, heard]).toEqual([426, []])
  })

  it('passes on a websocket where it follows none, in both directions, with what it was refused', async () => {
    const { url } = await provider((outgoing) => outgoing.end())
    const server = createServer().listen(0, '127.0.0.1')
    open.push(server)
    await once(server, 'listening')
    server.on('upgrade', (incoming, socket) => {
      if (incoming.headers.authorization !== 'Bearer k') {
        return void socket.end('HTTP/1.1 401 No\r\ncontent-length: 3\r\n\r\nwho')
      }
      const accepted = `sec-websocket-accept: ${incoming.headers['sec-websocket-key']}`
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\n${accepted}\r\nconnection: upgrade\r\n\r\n`,
      )
      socket.write(`${incoming.url};`)
      socket.on('data', (chunk) => socket.write(chunk))
      socket.on('end', () => socket.end())
    })
    const realtime = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const gateway = await gatewayTo(url, { routes: { realtime } })
    const path = '/~realtime/v1/realtime?model=m'
    const { answer } = await upgrade(gateway, path)
    expect(answer?.statusCode).toBe(401)
    const { socket, head, said } = await upgrade(gateway, path, { authorization: 'Bearer k' })
    expect(said?.['sec-websocket-accept']).toBe('key')
    let heard = String(head)
    socket?.on('data', (chunk) => (heard += String(chunk)))
    socket?.write('hello')
    await expect.poll(() => heard).toBe('/v1/realtime?model=m;hello')
    open.splice(open.indexOf(gateway), 1)
    expect(await gateway.close(50)).toBe(true)
    expect(
      socket?.destroyed || socket?.readableEnded || (await once(socket as Duplex, 'end')),
    ).toBeTruthy()
  })
})

/** Asks for a WebSocket. */
async function upgrade(gateway: Gateway, path: string, more: Record<string, string> = {}) {
  const headers = {
    connection: 'upgrade',
    upgrade: 'websocket',
    'sec-websocket-key': 'key',
    ...more,
  }
  const asked = request(gateway.url + path, { headers })
  return new Promise<{
    answer?: IncomingMessage
    said?: IncomingMessage['headers']
    socket?: Duplex
    head?: Buffer
  }>((resolve, reject) => {
    asked.on('response', (answer) => resolve({ answer: answer.resume() }))
    asked.on('upgrade', (answer, socket, head) => resolve({ said: answer.headers, socket, head }))
    asked.on('error', reject).end()
  })
}

it('says that it cannot listen where another program does, and what to do', async () => {
  const port = Number(new URL((await gatewayTo('http://127.0.0.1:1')).url).port)
  const second = startGateway({ store: memoryGatewayStore(), port })
  await expect(second).rejects.toMatchObject({ code: 'GATEWAY_ADDRESS' })
  await expect(second).rejects.toThrow(`port ${port}: another program listens there. Choose`)
})
