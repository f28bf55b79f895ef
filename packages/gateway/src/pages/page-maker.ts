import { existsSync } from 'node:fs'
import { setImmediate as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { PageError } from './errors.ts'
import type { Chronological } from 'throughline/engine'
import type { Entry, Store } from 'throughline'
import type { SessionRow } from '../store/gateway-store.ts'
import type { SessionSettings } from '../sessions/settings.ts'

/** Makes the page of a report out of a session's log. */
export type ReportPage = (log: Chronological, of: { id: string; model: string }) => Promise<string>

/** What a module that makes pages gives away. */
export interface PageModule {
  sessionPage: (settings: SessionSettings) => ReportPage
}

export interface PageWork {
  module: string
  settings: SessionSettings
  of: { id: string; model: string }
}

export type ToPageThread = { is: 'entries'; entries: readonly Entry[] } | { is: 'end' }

interface PageMakerOptions {
  /** The URL of a {@link PageModule}. */
  module: string
  settings: SessionSettings
  logs: Pick<Store, 'read'>
  /** The most milliseconds that a page may take; 60,000 by default. */
  patience?: number
}

// Beside the bundle, and beside the source.
const besides = ['./page-thread.js', './page-thread.ts']
const usualPatience = 60_000
const mostWaiting = 16
// As many as are read and handed over while nobody notices.
const few = 200
// In MiB: a page that takes more fails, and its gateway goes on.
const mostMemory = 1_024

/**
 * Makes pages of sessions, one at a time, each in a thread of its own: a long session takes seconds, in
 * which the gateway answers everybody else.
 */
export class PageMaker {
  readonly #options: PageMakerOptions
  readonly #owners = new Set<string>()
  readonly #over = new AbortController()
  #last: Promise<unknown> = Promise.resolve()

  constructor(options: PageMakerOptions) {
    this.#options = options
  }

  /**
   * The page of a session; given up when nobody wants it any more.
   * @throws PageError
   */
  async page({ id, model, world }: SessionRow, unwanted: AbortSignal): Promise<Uint8Array> {
    if (this.#owners.has(world) || this.#owners.size >= mostWaiting) {
      throw new PageError('busy', 'A page is being made already: ask again in some seconds.')
    }
    this.#owners.add(world)
    const givenUp = AbortSignal.any([unwanted, this.#over.signal])
    const made = this.#last.then(() => this.#made({ id, model }, givenUp))
    this.#last = made.catch(() => {})
    try {
      return await made
    } finally {
      this.#owners.delete(world)
    }
  }

  /** Gives up what is being made. */
  close(): void {
    this.#over.abort()
  }

  async #made(of: PageWork['of'], givenUp: AbortSignal): Promise<Uint8Array> {
    givenUp.throwIfAborted()
    const { module, settings, patience = usualPatience } = this.#options
    const file = besides
      .map((name) => new URL(name, import.meta.url))
      .find((one) => existsSync(one))
    if (!file) throw new PageError('failed', 'The thread that makes pages is not installed.')
    const workerData: PageWork = { module, settings, of }
    const worker = new Worker(file, {
      workerData,
      execArgv: ['--no-warnings'],
      resourceLimits: { maxOldGenerationSizeMb: mostMemory },
    })
    worker.unref()
    let timer: NodeJS.Timeout | undefined
    const failed = (why: string, cause?: unknown): PageError =>
      new PageError('failed', `The page of this session ${why}.`, { cause })
    const page = new Promise<Uint8Array>((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', (cause) => reject(failed('cannot be made', cause)))
      worker.once('exit', () => reject(failed('was not made to its end')))
      givenUp.addEventListener('abort', () => reject(failed('is not wanted any more')), {
        once: true,
      })
      timer = setTimeout(() => reject(failed('took too long')), patience)
    })
    try {
      await Promise.all([page, this.#handOver(worker, of.id)])
      return await page
    } finally {
      clearTimeout(timer)
      await worker.terminate()
    }
  }

  /** Gives the thread the log, a little at a time. */
  async #handOver(worker: Worker, id: string): Promise<void> {
    const post = (message: ToPageThread): void => worker.postMessage(message, [])
    for (let after = 0; ;) {
      const entries = await this.#options.logs.read(id, { after, upTo: after + few })
      if (entries.length === 0) break
      post({ is: 'entries', entries })
      after += few
      await pause()
    }
    post({ is: 'end' })
  }
}
