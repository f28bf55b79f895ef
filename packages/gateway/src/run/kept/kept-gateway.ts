import { existsSync } from 'node:fs'
import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { received } from '../../engine/errors.ts'
import { RunFailedError } from '../run-client.ts'
import type { FromGateway, Targets, ToGateway, Work } from './protocol.ts'
import type { Tally } from '../tally.ts'
import { connect, createServer, type Server, type Socket } from 'node:net'

/** How a gateway that ends by itself is started again. */
export interface KeepingSettings {
  /** The gateway's code; by default what stands beside this file. */
  file?: URL
  /** How often it is started again within that time; 5 times by default. */
  restarts?: number
  /** In milliseconds; a minute by default. */
  within?: number
}

interface KeptOptions extends KeepingSettings {
  work: Work
  tally: Pick<Tally, 'onAnswered' | 'onCompacted'>
  /** Told when it is not started again. */
  onGivenUp: (why: string) => void
}

// Beside the bundle, and beside the source.
const besides = ['./gateway-process.js', './gateway-process.ts']
const usualRestarts = 5
const usualTime = 60_000
const keptOfStderr = 8_192

/**
 * A gateway in a process of its own. If that ends without having been asked to, another one takes
 * its place on the same port, and its sessions come back from the store.
 */
export class KeptGateway {
  readonly #options: KeptOptions
  readonly #deaths: { at: number; reason: string }[] = []
  #child: ChildProcess | undefined
  #exited: Promise<unknown> = Promise.resolve()
  #port = 0
  #targets: Targets | undefined
  #client: number | undefined
  #held: HeldPort | undefined
  #isEnding = false
  /** Why it is not started again; after “the”. */
  #problem: string | undefined

  constructor(options: KeptOptions) {
    this.#options = options
  }

  /** Why each that ended without being asked did. */
  get deaths(): readonly string[] {
    return this.#deaths.map(({ reason }) => reason)
  }

  /** Why it is not started again, where it is not; after “the”. */
  get problem(): string | undefined {
    return this.#problem
  }

  /**
   * Starts the first one.
   * @returns its address, which stays.
   * @throws RunFailedError if it ends, or what its start throws.
   */
  async start(): Promise<string> {
    const url = await this.#start()
    this.#port = Number(new URL(url).port)
    return url
  }

  /** Where it sends requests from now on. */
  point(targets: Targets): void {
    this.#targets = targets
    this.#say({ is: 'targets', targets })
  }

  /** Whom it serves: should this process be killed, it ends when that one does. */
  serves(pid: number): void {
    this.#client = pid
    this.#say({ is: 'client', pid })
  }

  /** Ends it; what runs is answered first. */
  async end(): Promise<void> {
    this.#isEnding = true
    this.#held?.close()
    this.#say({ is: 'end' })
    await this.#exited
  }

  #say(message: ToGateway): void {
    // What it cannot hear any more, the next one is told when it starts.
    if (this.#child?.connected) this.#child.send(message, () => {})
  }

  #start(): Promise<string> {
    return new Promise((resolve, reject) => {
      const file = this.#options.file ?? ownFile()
      const child = fork(file, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
      this.#child = child
      let isListening = false
      let failed: Error | undefined
      let stderr = ''
      child.stderr?.setEncoding('utf8').on('data', (text: string) => {
        stderr = (stderr + text).slice(-keptOfStderr)
      })
      const lost = (death: Omit<Death, 'stderr'>): void => {
        const reason = reasonOf({ ...death, stderr })
        const early = `${reason} before it was ready`
        if (isListening) this.#died(reason)
        else if (this.#port !== 0)
          this.#died(failed ? `could not be started: ${failed.message}` : early)
        else reject(failed ?? new RunFailedError(`The gateway ${early}: nothing was started.`))
      }
      this.#exited = new Promise<void>((over) => {
        // It cannot be started at all.
        child.once('error', (error) => {
          stderr += `Error: ${error.message}`
          if (child.pid !== undefined) return
          over()
          lost({ code: null, signal: null })
        })
        // Not `exit`: all that it said has been heard.
        child.once('close', (code, signal) => {
          over()
          lost({ code, signal })
        })
      })
      child.once('exit', () => {
        if (isListening && !this.#isEnding) this.#hold()
      })
      child.on('message', (message: FromGateway) => {
        switch (message.is) {
          case 'opened':
            this.#held?.release()
            this.#say({ is: 'listen', port: this.#port })
            break
          case 'listening':
            isListening = true
            this.#held?.pass()
            this.#held = undefined
            resolve(message.url)
            break
          case 'failed':
            failed = received(message.error)
            break
          case 'compacted':
            this.#options.tally.onCompacted(message.session, message.report)
            break
          case 'answered':
            this.#options.tally.onAnswered(message.answered)
        }
      })
      this.#say({ is: 'open', work: this.#options.work })
      if (this.#targets) this.#say({ is: 'targets', targets: this.#targets })
      if (this.#client !== undefined) this.#say({ is: 'client', pid: this.#client })
    })
  }

  /** Until the next one listens, whoever comes waits. */
  #hold(): void {
    this.#held ??= new HeldPort(this.#port)
  }

  #died(reason: string): void {
    if (this.#isEnding) return
    const { restarts = usualRestarts, within = usualTime } = this.#options
    const at = performance.now()
    this.#deaths.push({ at, reason })
    const recent = this.#deaths.filter((death) => at - death.at < within)
    if (recent.length > restarts) {
      this.#problem = `gateway ended by itself ${recent.length} times in a short time (it ${reason}), and is not started again: requests to it are refused.`
      this.#held?.close()
      this.#options.onGivenUp(this.#problem)
      return
    }
    this.#hold()
    this.#start().catch((error: unknown) => this.#died(`could not be started: ${told(error)}`))
  }
}

function told(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function ownFile(): URL {
  const files = besides.map((name) => new URL(name, import.meta.url))
  const file = files.find((each) => existsSync(fileURLToPath(each)))
  if (file) return file
  throw new RunFailedError(
    'The installation of throughline-gateway is incomplete: install it again.',
  )
}

/** How a process ended, and what it wrote before. */
interface Death {
  code: number | null
  signal: NodeJS.Signals | null
  stderr: string
}

/** Why a gateway ended that nobody has ended: in a few words that fit behind “it”. */
function reasonOf({ code, signal, stderr }: Death): string {
  if (/heap out of memory|heap limit/i.test(stderr)) return 'ran out of memory'
  if (signal !== null) return `was killed by ${signal}`
  // What a Node says that cannot go on; never a line of its trace.
  const [, said] = /^(?:Uncaught )?((?:[A-Z]\w*)?Error(?: \[\w+\])?: .{1,200})/m.exec(stderr) ?? []
  const plain = said?.replaceAll(/\p{Cc}/gu, '')
  return `ended with exit code ${code ?? 'unknown'}${plain === undefined ? '' : ` (${plain})`}`
}

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
