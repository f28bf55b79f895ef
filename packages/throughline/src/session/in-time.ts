import { TimeLimitError, type Waited } from '../compaction/errors.ts'
import type { ProviderCompactor } from '../compaction/provider/provider-compactor.ts'
import type { LiveRequest, Summarizer } from '../compaction/summary/with-model/summarizer.ts'
import type { Store } from './store.ts'

// Longer times overflow the clock of JavaScript, which then rings at once.
const longest = 2 ** 31 - 1

/**
 * Waits for somebody else's work, but not longer than `limit` milliseconds, or what is `left` of them. The work is told to
 * stop; whether it does or not, nobody waits for it any more.
 * @throws TimeLimitError when the time is over; else whatever the work throws.
 */
export async function inTime<Result>(
  { limit, left = limit, ...waited }: Waited & { limit: number; left?: number },
  work: (signal: AbortSignal) => Result | Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  const controller = new AbortController()
  const stop = (): void => controller.abort(signal?.reason)
  signal?.addEventListener('abort', stop, { once: true })
  if (signal?.aborted) stop()
  try {
    const result = Promise.resolve(work(controller.signal))
    return await withinLimit({ limit, left, ...waited }, result, (error) => controller.abort(error))
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}

function withinLimit<Result>(
  { limit, left = limit, ...waited }: Waited & { limit: number; left?: number },
  result: Promise<Result>,
  tell?: (error: TimeLimitError) => void,
): Promise<Result> {
  if (!(left <= longest)) return result
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const error = new TimeLimitError({ ...waited, limit })
      reject(error)
      tell?.(error)
    }, left)
    // It may still fail later, when it is no longer awaited.
    result.finally(() => clearTimeout(timer)).then(resolve, reject)
  })
}

/** A summarizer that is given up after this many milliseconds, in all attempts of a compaction. */
export function summarizerInTime(summarizer: Summarizer, limit: number): Summarizer {
  const { name } = summarizer
  /** When the time is over, by the conversation that the attempts of one compaction have in common. */
  const ends = new WeakMap<LiveRequest, number>()
  return {
    ...summarizer,
    name,
    async summarize(request, { signal }) {
      const now = performance.now()
      const end = ends.get(request.live) ?? now + limit
      ends.set(request.live, end)
      if (end <= now && limit > 0) throw new TimeLimitError({ who: 'summarizer', name, limit })
      return inTime(
        { who: 'summarizer', name, limit, left: end - now },
        (inner) => summarizer.summarize(request, { signal: inner }),
        signal,
      )
    },
  }
}

/** A provider's compactor that is given up after this many milliseconds. */
export function compactorInTime(compactor: ProviderCompactor, limit: number): ProviderCompactor {
  const { name } = compactor
  return {
    ...compactor,
    compact: (request, { signal }) =>
      inTime(
        { who: 'summarizer', name, limit },
        (inner) => compactor.compact(request, { signal: inner }),
        signal,
      ),
  }
}

/** A store whose answers are given up after this many milliseconds. */
export function storeInTime(store: Store, limit: number): Store {
  const waited = { who: 'store', limit } as const
  const timed =
    <Given extends readonly unknown[], Result>(
      name: string,
      work: (...given: Given) => Promise<Result>,
    ) =>
    async (...given: Given): Promise<Result> =>
      withinLimit({ ...waited, name }, Promise.resolve(work(...given)))
  return {
    append: timed('append', (...given) => store.append(...given)),
    read: timed('read', (...given) => store.read(...given)),
    search: timed('search', (...given) => store.search(...given)),
    sessions: timed('sessions', (...given) => store.sessions(...given)),
    redact: timed('redact', (...given) => store.redact(...given)),
    remove: timed('remove', (...given) => store.remove(...given)),
  }
}
