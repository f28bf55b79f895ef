import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Watches for connections on which nothing has come yet, as browsers and SDKs open some in advance.
 * Node does not count them as idle, so a server that ends would wait for them as long as their client
 * lives. Returns what closes them.
 */
export function watchUnused(server: Server): () => void {
  const open = new Set<Socket>()
  server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  // From then on Node knows whether they are idle.
  server.on('request', ({ socket }) => open.delete(socket))
  return () => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
  }
}
