interface Answer {
  id?: string
  event?: string
  ok?: boolean
  payload?: Record<string, unknown>
  error?: { message?: string; retryable?: boolean; retryAfterMs?: number }
}

const client = { id: 'gateway-client', version: '1', platform: process.platform, mode: 'backend' }
const scopes = ['operator.admin', 'operator.read', 'operator.write']

/** One operator's connection with OpenClaw's gateway. Its command would start anew for each call. */
export class Connection {
  readonly #socket: WebSocket
  readonly #waiting = new Map<string, (answer: Answer) => void>()
  readonly #challenged: Promise<void>
  #count = 0

  private constructor(url: string) {
    this.#socket = new WebSocket(url)
    let challenged = (): void => {}
    this.#challenged = new Promise((resolve) => (challenged = resolve))
    this.#socket.addEventListener('message', ({ data }) => {
      const answer = JSON.parse(String(data)) as Answer
      if (answer.event === 'connect.challenge') challenged()
      if (answer.id !== undefined) this.#waiting.get(answer.id)?.(answer)
    })
    const ended = (): void => {
      challenged()
      for (const answer of this.#waiting.values()) {
        answer({ ok: false, error: { message: 'the connection has ended' } })
      }
    }
    this.#socket.addEventListener('close', ended)
    this.#socket.addEventListener('error', ended)
  }

  static async open(url: string, token: string): Promise<Connection> {
    const connection = new Connection(url)
    await connection.#challenged
    const who = { client, role: 'operator', scopes, caps: [], auth: { token } }
    await connection.call('connect', { minProtocol: 4, maxProtocol: 4, ...who })
    return connection
  }

  async call(method: string, params: object): Promise<Record<string, unknown>> {
    this.#count += 1
    const id = `${this.#count}`
    const {
      ok,
      payload = {},
      error,
    } = await new Promise<Answer>((resolve) => {
      this.#waiting.set(id, resolve)
      if (this.#socket.readyState !== WebSocket.OPEN)
        resolve({ error: { message: 'it is closed' } })
      else this.#socket.send(JSON.stringify({ type: 'req', id, method, params }))
    })
    this.#waiting.delete(id)
    if (ok === true) return payload
    if (error?.retryable) {
      await new Promise((resolve) => setTimeout(resolve, error.retryAfterMs ?? 500))
      return this.call(method, params)
    }
    throw new Error(`${method}: ${error?.message ?? 'it failed'}`)
  }

  close(): void {
    this.#socket.close()
  }
}
