import { connect } from 'node:net'
import { once } from 'node:events'
import { afterEach, it } from 'vitest'
import { memoryGatewayStore } from '../store/memory-gateway-store.ts'
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
