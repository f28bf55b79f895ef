import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { once } from 'node:events'

/** A wire to a server that can go dead: connected, but nothing comes through. */
export interface BreakableWire {
  readonly port: number
  cut: () => void
  mend: () => void
  close: () => Promise<void>
}

export async function breakableWire(to: number): Promise<BreakableWire> {
  const ends = new Set<Socket>()
  let isCut = false
  const server = createServer((near) => {
    const far = connect(to, '127.0.0.1')
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(one)
      one.on('data', (chunk) => void (isCut || other.write(chunk)))
      one.on('error', () => other.destroy())
      one.on('close', () => {
        ends.delete(one)
        if (!isCut) other.destroy()
      })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    cut: () => void (isCut = true),
    mend() {
      isCut = false
      // What was lost in between cannot be made good on the same connections.
      for (const end of ends) end.destroy()
    },
    async close() {
      for (const end of ends) end.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
