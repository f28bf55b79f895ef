import type { RecoveringMiddleware } from './recovering-middleware.ts'

export type StreamResult = Awaited<ReturnType<RecoveringMiddleware['wrapStream']>>
type Stream = StreamResult['stream']
type StreamPart = Stream extends ReadableStream<infer Part> ? Part : never

/** The parts that a provider sends before its answer. */
const preliminary: ReadonlySet<StreamPart['type']> = new Set([
  'stream-start',
  'response-metadata',
  'raw',
])

/**
 * The same stream. If it begins with an error for which `second` has an answer, that answer
 * replaces it. After the first word, an error remains an error.
 */
export function recoveringStream(
  first: Stream,
  second: (error: unknown) => Promise<Stream | undefined>,
): Stream {
  let reader = first.getReader()
  let mayRecover = true
  let ready: StreamPart[] = []
  let done = false

  async function read(): Promise<void> {
    const held: StreamPart[] = []
    while (ready.length === 0 && !done) {
      const { done: ended, value } = await reader.read()
      done = ended
      if (value) held.push(value)
      if (mayRecover && value?.type === 'error') {
        mayRecover = false
        const other = await second(value.error).catch(async (error: unknown) => {
          await reader.cancel(error)
          throw error
        })
        if (other) {
          await reader.cancel(value.error)
          reader = other.getReader()
          held.length = 0
          continue
        }
      }
      // Held back until it is certain that it isn't sent twice.
      if (!done && mayRecover && value && preliminary.has(value.type)) continue
      mayRecover = false
      ready = held
    }
  }

  return new ReadableStream<StreamPart>({
    async pull(controller) {
      await read()
      for (const part of ready) controller.enqueue(part)
      ready = []
      if (done) controller.close()
    },
    cancel: (reason) => reader.cancel(reason),
  })
}
