import type { RecoveringMiddleware } from './recovering-middleware.ts'

export type StreamResult = Awaited<ReturnType<RecoveringMiddleware['wrapStream']>>
type Stream = StreamResult['stream']
type StreamPart = Stream extends ReadableStream<infer Part> ? Part : never

/**
 * What a provider says before it says anything: that an answer begins (Anthropic's is a part of its
 * own, `custom`), and that a text does.
 */
const preliminary: ReadonlySet<StreamPart['type']> = new Set([
  'stream-start',
  'response-metadata',
  'raw',
  'custom',
  'text-start',
  'reasoning-start',
])

function isPreliminary(part: StreamPart): boolean {
  if (part.type === 'text-delta' || part.type === 'reasoning-delta') return part.delta === ''
  return preliminary.has(part.type)
}

/**
 * The same stream; where an error to which `second` has an answer comes before any content, that
 * answer in its place. Behind the first word an error stays one.
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
      // It is held back until it is sure that it is not said twice.
      if (!done && mayRecover && value && isPreliminary(value)) continue
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
