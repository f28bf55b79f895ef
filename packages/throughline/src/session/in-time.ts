import { TimeLimitError, type Waited } from '../compaction/errors.ts'
import type { ProviderCompactor } from '../compaction/provider/provider-compactor.ts'
import type { Summarizer } from '../compaction/summary/with-model/summarizer.ts'
import type { Store } from './store.ts'

// Longer times overflow the clock of JavaScript, which then rings at once.
const longest = 2 ** 31 - 1

/**
 * Waits for somebody else's work, but not longer than `limit` milliseconds. The work is told to
 * stop; whether it does or not, nobody waits for it any more.
 * @throws TimeLimitError when the time is over; else whatever the work throws.
 */
export async function inTime<Result>(
  { limit, ...waited }: Waited & { limit: number },
  work: (signal: AbortSignal) => Result | Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  const controller = new AbortController()
  const stop = (): void => controller.abort(signal?.reason)
  signal?.addEventListener('abort', stop, { once: true })
  if (signal?.aborted) stop()
  try {
    const result = Promise.resolve(work(controller.signal))
    return await withinLimit({ limit, ...waited }, result, (error) => controller.abort(error))
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}

function withinLimit<Result>(
  { limit, ...waited }: Waited & { limit: number },
  result: Promise<Result>,
  tell?: (error: TimeLimitError) => void,
): Promise<Result> {
  if (!(limit <= longest)) return result
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const error = new TimeLimitError({ ...waited, limit })
      reject(error)
      tell?.(error)
    }, limit)
    // It may still fail later, when nobody waits for it anymore.
    result.finally(() => clearTimeout(timer)).then(resolve, reject)
  })
}

/** A summarizer that is given up after this many milliseconds. */
export function summarizerInTime(summarizer: Summarizer, limit: number): Summarizer {
  const { name } = summarizer
  return {
    ...summarizer,
    name,
    summarize: (request, { signal }) =>
      inTime(
        { who: 'summarizer', name, limit },
        (inner) => summarizer.summarize(request, { signal: inner }),
        signal,
      ),
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
