import { connect } from 'node:net'
import { once } from 'node:events'
import { afterEach, expect, it } from 'vitest'
import { memoryGatewayStore } from '../store/sqlite-gateway-store.ts'
import { startGateway } from './gateway.ts'
import type { Socket } from 'node:net'

const open: Socket[] = []

afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy()
})

it('a gateway ends though a client has opened a connection and asked nothing', async () => {
  const gateway = await startGateway({ store: memoryGatewayStore() })
  const { hostname, port } = new URL(gateway.url)
  const socket = connect(Number(port), hostname)
  open.push(socket)
  await once(socket, 'connect')
  // The gateway knows of the connection when it has answered on a later one.
  await (await fetch(`${gateway.url}/healthz`)).text()
  await gateway.close()
  if (!socket.destroyed) await once(socket, 'close')
})

it('a gateway that ends for others answers once more on each connection that a proxy keeps', async () => {
  const gateway = await startGateway({ store: memoryGatewayStore() })
  const { hostname, port } = new URL(gateway.url)
  const socket = connect(Number(port), hostname)
  open.push(socket)
  let said = ''
  socket.on('data', (data) => (said += String(data)))
  const ask = 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n'
  socket.write(ask)
  while (!said.includes('ok')) await once(socket, 'data')
  expect(said).toMatch(/connection: keep-alive/i)
  said = ''
  const ended = gateway.close(60_000)
  socket.write(ask)
  await once(socket, 'close')
  expect(said).toMatch(/^HTTP\/1\.1 200 [^]*connection: close/i)
  await ended
})
