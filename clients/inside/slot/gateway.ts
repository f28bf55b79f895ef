import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { connect } from 'node:net'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'

interface Host {
  command: string
  home: string
  directory: string
  env: Record<string, string>
}

const port = 18_789
// Milliseconds: of a start, and of a turn.
const patience = 120_000
const pause = 500

/** OpenClaw's gateway, as it serves the chats of one person. */
export class Gateway {
  readonly #host: Host
  #child: ChildProcess | undefined

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
    await until('the gateway listens', () => listens())
  }

  /** As a machine does that loses its power. */
  async kill(): Promise<void> {
    const child = this.#child
    if (child?.pid === undefined) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    process.kill(-child.pid, 'SIGKILL')
    await ended
    this.#child = undefined
  }

  async call(method: string, params: object): Promise<Record<string, unknown>> {
    const { command, home, directory, env } = this.#host
    const args = ['gateway', 'call', method, '--params', JSON.stringify(params), '--json']
    const { stdout } = await promisify(execFile)(command, [...args, '--timeout', '60000'], {
      cwd: directory,
      env: environmentOf(home, env),
      maxBuffer: 50_000_000,
    })
    return JSON.parse(stdout.slice(stdout.indexOf('{'))) as Record<string, unknown>
  }

  /** Says something in a chat, waits until nothing runs there, and returns what was answered last. */
  async say(sessionKey: string, message: string): Promise<string> {
    const before = (await this.#messages(sessionKey)).length
    await this.call('chat.send', { sessionKey, message, idempotencyKey: randomUUID() })
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

function listens(): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}
