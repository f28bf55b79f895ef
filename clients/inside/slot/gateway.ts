import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { Connection } from './connection.ts'

interface Host {
  command: string
  home: string
  directory: string
  env: Record<string, string>
}

const port = 18_789
const url = `ws://127.0.0.1:${port}`
// Milliseconds: of a start, and of a turn.
const patience = 400_000
const pause = 200

/** OpenClaw's gateway, as it serves the chats of one person. */
export class Gateway {
  readonly #host: Host
  #child: ChildProcess | undefined
  #connection: Connection | undefined

  constructor(host: Host) {
    this.#host = host
  }

  async start(): Promise<void> {
    const { command, home, directory, env } = this.#host
    this.#child = spawn(command, ['gateway', 'run', '--port', `${port}`], {
      cwd: directory,
      env: environmentOf(home, env),
      stdio: 'ignore',
      detached: true,
    })
    await until('the gateway listens', async () => {
      const opened = await Connection.open(url, 't').catch(() => undefined)
      this.#connection = opened
      return opened !== undefined
    })
  }

  /** As a machine does that loses its power. */
  async kill(): Promise<void> {
    const child = this.#child
    if (child?.pid === undefined) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    this.#connection?.close()
    this.#connection = undefined
    process.kill(-child.pid, 'SIGKILL')
    await ended
    this.#child = undefined
  }

  async call(method: string, params: object): Promise<Record<string, unknown>> {
    if (!this.#connection) throw new Error('The gateway does not run.')
    return this.#connection.call(method, params)
  }

  /** Says something in a chat, waits until nothing runs there, and returns what was answered last. */
  async say(
    sessionKey: string,
    message: string,
    attachments: readonly object[] = [],
  ): Promise<string> {
    const before = (await this.#messages(sessionKey)).length
    await this.call('chat.send', {
      sessionKey,
      message,
      idempotencyKey: randomUUID(),
      ...(attachments.length > 0 && { attachments }),
    })
    let last = ''
    await until(`an answer to ${message.slice(0, 60)}`, async () => {
      const { sessionInfo } = await this.#history(sessionKey)
      const messages = await this.#messages(sessionKey)
      last = textOf(messages.at(-1))
      const isAnswered = messages.length > before && !isHumans(messages.at(-1)) && last !== ''
      return isAnswered && !isRunning(sessionInfo)
    })
    return last
  }

  async #history(sessionKey: string): Promise<Record<string, unknown>> {
    return this.call('chat.history', { sessionKey, limit: 400 })
  }

  async #messages(sessionKey: string): Promise<unknown[]> {
    const { messages } = await this.#history(sessionKey)
    return Array.isArray(messages) ? messages : []
  }
}

function isRunning(info: unknown): boolean {
  return (
    typeof info === 'object' &&
    info !== null &&
    'hasActiveRun' in info &&
    info.hasActiveRun === true
  )
}

function isHumans(message: unknown): boolean {
  return (
    typeof message === 'object' && message !== null && 'role' in message && message.role === 'user'
  )
}

function textOf(message: unknown): string {
  if (typeof message !== 'object' || message === null || !('content' in message)) return ''
  const { content } = message
  if (typeof content === 'string') return content
  const parts = Array.isArray(content) ? (content as { text?: unknown }[]) : []
  return parts.map(({ text }) => (typeof text === 'string' ? text : '')).join('\n')
}

function environmentOf(home: string, env: Record<string, string>): Record<string, string> {
  return { HOME: home, TMPDIR: home, LANG: 'C.UTF-8', NO_COLOR: '1', ...env }
}

export async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + patience
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`It was waited for ${what}, in vain.`)
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}
