import { connect, createServer, type Server, type Socket } from 'node:net'

const host = '127.0.0.1'

/**
 * Keeps a port while no gateway listens there: whoever connects waits for the next one, instead of
 * being refused.
 */
export class HeldPort {
  readonly #port: number
  readonly #server: Server
  readonly #waiting = new Set<Socket>()
  /** Fulfilled when it is held, or another program has been quicker. */
  readonly isHeld: Promise<void>

  constructor(port: number) {
    this.#port = port
    this.#server = createServer({ pauseOnConnect: true }, (socket) => {
      this.#waiting.add(socket)
      socket.on('error', () => socket.destroy())
      socket.once('close', () => this.#waiting.delete(socket))
    })
    this.isHeld = new Promise((resolve) => {
      // Whoever listens next is told that it is taken.
      this.#server.on('error', () => resolve())
      this.#server.listen(port, host, resolve)
    })
  }

  /** How many wait. */
  get waiting(): number {
    return this.#waiting.size
  }

  /** The port is free for the next gateway; who waits goes on waiting. */
  release(): void {
    this.#server.close()
  }

  /** A gateway listens: whoever has waited speaks to it. */
  pass(): void {
    for (const socket of this.#waiting) {
      const gateway = connect(this.#port, host)
      gateway.on('error', () => socket.destroy())
      socket.on('error', () => gateway.destroy())
      gateway.once('close', () => socket.destroy())
      socket.pipe(gateway).pipe(socket)
    }
    this.#waiting.clear()
  }

  /** None will come: whoever waits, and whoever comes, is refused. */
  close(): void {
    this.#server.close()
    for (const socket of this.#waiting) socket.destroy()
  }
}
