import { existsSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { carried, EngineLostError, received } from './errors.ts'
import { readBody } from '../server/read-body.ts'
import type {
  CarriedAnswer,
  CarriedRequest,
  FromThread,
  OpenedAs,
  Outcome,
  Question,
  SessionState,
  ThreadData,
  Told,
  ToThread,
  Work,
} from './protocol.ts'
import type { GatewayStore } from '../store/gateway-store.ts'
import type { SessionEvent } from 'throughline'
import type { Upstream } from '../upstream/upstream.ts'

/** How a thread is started and given up. */
export interface ThreadSettings {
  /** How many seconds a thread with work may say nothing; 10 by default. */
  patience?: number
  /** The thread’s code; by default what stands beside this file. */
  file?: URL
}

interface EngineOptions extends ThreadSettings {
  store: GatewayStore
  upstream: Upstream
  onEvent?: ((session: string, event: SessionEvent) => void) | undefined
}

/** What is told, the work, and bytes of it that the thread gets as they are. */
interface Given {
  told?: readonly Told[]
  work?: Work
  transferred?: ArrayBuffer[]
}

interface Waiting {
  resolve: (done: { value: unknown; state: SessionState | undefined }) => void
  reject: (error: Error) => void
}

// Beside the bundle, and beside the source.
const besides = ['./engine-thread.js', './engine-thread.ts']
const usualPatience = 10
const mostFailedStarts = 3
const longestAnswer = 4 * 1024 * 1024

/**
 * The thread in which sessions are read, compacted and written, so that the work on a long one keeps
 * nobody else waiting. Where it is lost, its requests fail, and go out as they came.
 */
export class Engine {
  readonly #options: EngineOptions
  readonly #file: URL | undefined
  #worker: Worker | undefined
  #ready: Promise<void> | undefined
  #threads = 0
  #failedStarts = 0
  #last = 0
  #openings = 0
  readonly #waiting = new Map<number, Waiting>()
  /** Requests of its own that it may give up. */
  readonly #asking = new Map<number, AbortController>()
  #watch: NodeJS.Timeout | undefined
  #unheard = 0
  #isClosed = false

  constructor(options: EngineOptions) {
    this.#options = options
    this.#file = options.file ?? ownFile()
  }

  /** Which thread it is by now: another one knows nothing of what was sent before. */
  get thread(): number {
    return this.#worker ? this.#threads : 0
  }

  /** Work that is not done. */
  get queued(): number {
    return this.#waiting.size
  }

  /** Whether answers are kept where other replicas find them. */
  get hears(): boolean {
    return this.#options.store.heard !== undefined
  }

  /** Whether there is a thread now, or one could be started. */
  async started(): Promise<boolean> {
    return this.ready().then(
      () => true,
      () => false,
    )
  }

  /**
   * Waits for a thread, and starts one where there is none.
   * @throws EngineLostError where none can be started.
   */
  ready(): Promise<void> {
    this.#ready ??= this.#start()
    return this.#ready
  }

  /** The number under which a session is opened: no other opening has it. */
  nextOpening(): number {
    return ++this.#openings
  }

  /** @throws EngineLostError, or what the work throws. */
  work(
    session: string,
    as: OpenedAs,
    { told = [], work, transferred = [] }: Given,
  ): Promise<{ value: unknown; state: SessionState | undefined }> {
    const worker = this.#worker
    if (!worker) return Promise.reject(new EngineLostError('has ended'))
    const number = ++this.#last
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject })
      try {
        const given = { told, ...(work && { work }) }
        this.#post({ is: 'work', number, session, as, ...given }, transferred)
        this.#watchIt(worker)
      } catch (error) {
        this.#waiting.delete(number)
        reject(error as Error)
      }
    })
  }

  /** Ends the thread for good. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.end()
  }

  /** Ends the thread that runs; the next work starts another one. */
  async end(): Promise<void> {
    const worker = this.#worker
    if (!worker) return
    const over = new Promise((resolve) => worker.once('exit', resolve))
    this.#post({ is: 'end' })
    let timer: NodeJS.Timeout | undefined
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, this.#patience * 1_000)
    })
    await Promise.race([over, late])
    clearTimeout(timer)
    await worker.terminate()
  }

  get #patience(): number {
    return this.#options.patience ?? usualPatience
  }

  #start(): Promise<void> {
    const file = this.#file
    if (!file || this.#isClosed || this.#failedStarts >= mostFailedStarts)
      return Promise.reject(new EngineLostError('cannot be started'))
    const { store } = this.#options
    const workerData: ThreadData = { folder: store.folder, hears: this.hears }
    return new Promise((resolve, reject) => {
      const worker = new Worker(file, { workerData, execArgv: ['--no-warnings'] })
      worker.unref()
      this.#worker = worker
      this.#threads += 1
      worker.on('message', (message: FromThread) => {
        this.#unheard = 0
        if (message.is === 'ready') {
          this.#failedStarts = 0
          resolve()
        } else this.#heard(worker, message)
      })
      const lost = (error: EngineLostError): void => {
        reject(error)
        this.#lost(worker, error)
      }
      worker.once('error', (cause) => lost(new EngineLostError('has failed', { cause })))
      worker.once('exit', () => lost(new EngineLostError('has ended')))
      // One that hangs while it starts is lost as well.
      this.#failedStarts += 1
      this.#watchIt(worker)
    })
  }

  /** Everyone who waits for it gets an error; who comes next starts another one. */
  #lost(worker: Worker, error: EngineLostError): void {
    if (this.#worker !== worker) return
    this.#worker = undefined
    this.#ready = undefined
    clearInterval(this.#watch)
    this.#watch = undefined
    for (const controller of this.#asking.values()) controller.abort(error)
    this.#asking.clear()
    const waiting = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const { reject } of waiting) reject(error)
  }

  /** While it has work it is asked each second whether it hears. */
  #watchIt(worker: Worker): void {
    if (this.#watch) return
    this.#unheard = 0
    this.#watch = setInterval(() => {
      if (this.#waiting.size === 0 && this.#failedStarts === 0) {
        clearInterval(this.#watch)
        this.#watch = undefined
        return
      }
      this.#unheard += 1
      this.#post({ is: 'ping' })
      if (this.#unheard <= this.#patience) return
      this.#lost(worker, new EngineLostError('did not answer'))
      void worker.terminate()
    }, 1_000)
    this.#watch.unref()
  }

  #post(message: ToThread, transferred: ArrayBuffer[] = []): void {
    this.#worker?.postMessage(message, transferred)
  }

  #heard(worker: Worker, message: FromThread): void {
    if (message.is === 'event') this.#options.onEvent?.(message.session, message.event)
    else if (message.is === 'question') void this.#answer(worker, message)
    else if (message.is === 'done') {
      const waiting = this.#waiting.get(message.number)
      this.#waiting.delete(message.number)
      if ('error' in message) waiting?.reject(received(message.error))
      else waiting?.resolve({ value: message.value, state: message.state })
    }
  }

  async #answer(
    worker: Worker,
    { number, question }: FromThread & { is: 'question' },
  ): Promise<void> {
    let outcome: Outcome
    try {
      outcome = { value: await this.#askedFor(question, number) }
    } catch (error) {
      outcome = { error: carried(error) }
    }
    if (this.#worker === worker) this.#post({ is: 'answer', number, ...outcome })
  }

  async #askedFor(question: Question, number: number): Promise<unknown> {
    const { store } = this.#options
    switch (question.of) {
      case 'logs': {
        const method = store.logs[question.name] as (...given: unknown[]) => Promise<unknown>
        return method(...question.given)
      }
      case 'store': {
        const method = store[question.name] as
          | ((...given: unknown[]) => Promise<unknown>)
          | undefined
        return method?.(...question.given)
      }
      case 'upstream':
        if ('request' in question) return this.#send(question.request, number)
        this.#asking.get(question.givenUp)?.abort()
        return undefined
    }
  }

  /** The thread has no way to the providers of its own. */
  async #send({ url, body, ...rest }: CarriedRequest, number: number): Promise<CarriedAnswer> {
    const controller = new AbortController()
    this.#asking.set(number, controller)
    try {
      const answer = await this.#options.upstream.send({
        ...rest,
        url: new URL(url),
        body: Buffer.from(body),
        signal: controller.signal,
      })
      const { status, headers } = answer
      return { status, headers, body: new Uint8Array(await readBody(answer.body, longestAnswer)) }
    } finally {
      this.#asking.delete(number)
    }
  }
}

function ownFile(): URL | undefined {
  return besides.map((name) => new URL(name, import.meta.url)).find((file) => existsSync(file))
}
