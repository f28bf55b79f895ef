import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { HeldPort } from './kept-gateway.ts'

async function listening(port: number) {
  const server = createServer((request, response) => {
    request.on('data', (bytes: Buffer) => response.write(bytes))
    request.on('end', () => response.end())
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return { server, port: (server.address() as AddressInfo).port }
}

/** A port on which nobody listens any more. */
async function freePort(): Promise<number> {
  const { server, port } = await listening(0)
  server.close()
  await once(server, 'close')
  return port
}

async function asked(port: number, body: string): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body })
  return answer.text()
}

it('who connects while nobody serves is answered by whoever serves next', async () => {
  const port = await freePort()
  const held = new HeldPort(port)
  await held.isHeld
  const answers = Promise.all(['one', 'two'.repeat(100_000)].map((body) => asked(port, body)))
  await expect.poll(() => held.waiting).toBe(2)
  held.release()
  const { server } = await listening(port)
  held.pass()
  expect(await answers).toEqual(['one', 'two'.repeat(100_000)])
  server.closeAllConnections()
  server.close()
})

it('who waits is refused when nobody comes', async () => {
  const port = await freePort()
  const held = new HeldPort(port)
  await held.isHeld
  const answer = asked(port, 'one')
  const refused = expect(answer).rejects.toThrow('fetch failed')
  await expect.poll(() => held.waiting).toBe(1)
  held.close()
  await refused
  await expect(asked(port, 'two')).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
})

it('a port that another program has taken is left to it', async () => {
  const { server, port } = await listening(0)
  const held = new HeldPort(port)
  await held.isHeld
  expect(await asked(port, 'one')).toBe('one')
  held.release()
  held.close()
  server.closeAllConnections()
  server.close()
})
