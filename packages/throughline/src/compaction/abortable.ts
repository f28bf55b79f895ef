/** The promise, or a rejection with the signal's reason as soon as it is aborted. */
export async function abortable<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (!signal) return promise
  // It may still fail later, when it is no longer awaited.
  promise.catch(() => {})
  signal.throwIfAborted()
  let stop: () => void = () => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop)
  })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
