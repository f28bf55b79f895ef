import { gzipSync } from 'node:zlib'
import { connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { request } from 'undici'
import { startProgram } from './program.ts'

/** What one attack does to everybody else. */
export interface Attack {
  name: string
  /** The longest that `/healthz` was waited for while it went on, in milliseconds. */
  healthz: number
  /** The longest time for which the event loop ran nothing else, in milliseconds. */
  stalled: number
  probes: number
}

const mebibyte = 1_048_576
const json = { 'content-type': 'application/json', authorization: 'Bearer bench' }

type Strike = (url: string) => Promise<unknown>

const post = async (url: string, body: Buffer, encoding?: string): Promise<void> => {
  const headers = { ...json, ...(encoding !== undefined && { 'content-encoding': encoding }) }
  const path = '/v1/chat/completions'
  const answer = await request(url + path, { method: 'POST', headers, body })
  await answer.body.dump()
}
const bodyOf = (messages: string, tools = '[]'): Buffer =>
  Buffer.from(`{"model":"bench","stream":true,"tools":${tools},"messages":[${messages}]}`)
const many = (count: number, one: string): string => Array(count).fill(one).join(',')
const user = (text: string): string => JSON.stringify({ role: 'user', content: text })
const call = (id: number): string =>
  `{"role":"assistant","tool_calls":[{"id":"call_${id}","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"call_${id}","content":"x"}`

/** Everything that was done to a gateway by one key, and what a long honest request is. */
const attacks: Readonly<Record<string, () => Strike>> = {
  'ten million brackets, packed': () => {
    const packed = gzipSync(bodyOf('['.repeat(10_000_000)))
    return (url) => post(url, packed, 'gzip')
  },
  'twenty million brackets': () => {
    const body = bodyOf('['.repeat(20_000_000))
    return (url) => post(url, body)
  },
  'sixty megabytes of numbers in one message': () => {
    const body = bodyOf(`{"role":"user","content":[${many(29_000_000, '1')}]}`)
    return (url) => post(url, body)
  },
  '300,000 messages': () => {
    const body = bodyOf(many(300_000, user('x')))
    return (url) => post(url, body)
  },
  '19,000 messages': () => {
    const body = bodyOf(many(19_000, user('x'.repeat(400))))
    return (url) => post(url, body)
  },
  '50,000 calls': () => {
    const body = bodyOf(Array.from({ length: 50_000 }, (_, id) => call(id)).join(','))
    return (url) => post(url, body)
  },
  'sixty megabytes of long messages': () => {
    const body = bodyOf(many(60, user('a\n'.repeat(mebibyte / 3))))
    return (url) => post(url, body)
  },
  'twelve small bodies that unpack to sixty MiB': () => {
    const packed = gzipSync(bodyOf(user('a'.repeat(60 * mebibyte))))
    return (url) => Promise.all(Array.from({ length: 12 }, () => post(url, packed, 'gzip')))
  },
  'a thousand connections with a header and one byte': () => async (url) => {
    const { hostname, port } = new URL(url)
    const head = `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: 9000\r\n\r\n{`
    const sockets: Socket[] = []
    for (let each = 0; each < 1_000; each++) {
      const socket = connect(Number(port), hostname)
      socket.on('error', () => {})
      await once(socket, 'connect')
      socket.write(head)
      sockets.push(socket)
    }
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    for (const socket of sockets) socket.destroy()
  },
}

/** How long everybody else waits under each attack. */
export async function measureAttacks(upstream: string, window: number): Promise<Attack[]> {
  const all: Attack[] = []
  for (const [name, made] of Object.entries(attacks)) {
    const program = await startProgram('gateway', { upstream, window })
    try {
      const strike = made()
      const probe = async (): Promise<number> => {
        const begun = performance.now()
        await (await request(`${program.url}/healthz`)).body.dump()
        return performance.now() - begun
      }
      for (let times = 0; times < 20; times++) await probe()
      await program.sample()
      const over = new AbortController()
      const struck = strike(program.url).finally(() => over.abort())
      const waits: number[] = []
      while (!over.signal.aborted) {
        waits.push(await probe())
        await new Promise((resolve) => setTimeout(resolve, 2))
      }
      await struck.catch(() => {})
      const { stalled } = await program.sample()
      all.push({ name, healthz: Math.max(0, ...waits), stalled, probes: waits.length })
    } finally {
      await program.close()
    }
  }
  return all
}
