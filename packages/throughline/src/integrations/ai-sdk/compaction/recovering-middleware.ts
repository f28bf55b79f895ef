import { throwFinally } from '../provider-options.ts'
import { withCompactionBeta } from './compacting-provider.ts'
import type { LanguageModelMiddleware } from 'ai'

type StreamResult = Awaited<ReturnType<RecoveringMiddleware['wrapStream']>>
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

/**
 * The parts of the SDK's middleware interface that ours implements, with the SDK's names for their
 * arguments.
 */
export type RecoveringMiddleware = Required<
  Pick<LanguageModelMiddleware, 'transformParams' | 'wrapGenerate' | 'wrapStream'>
> & {
  /** The one that the installed SDK wants. */
  specificationVersion: NonNullable<LanguageModelMiddleware['specificationVersion']>
}
export type ProviderRequest = Parameters<RecoveringMiddleware['wrapStream']>[0]['params']
export type ProviderModel = Parameters<RecoveringMiddleware['wrapStream']>[0]['model']

/** How to handle requests that are refused. */
export interface Recovery {
  made: (request: ProviderRequest) => void
  /**
   * The request to make in place of one that was refused before: the SDK repeats the first one if
   * the second failed in some other way. `undefined` for any other request.
   */
  instead: (request: ProviderRequest, model: ProviderModel) => Promise<ProviderRequest | undefined>
  /**
   * The request to make in place of one that was refused with this error; `undefined` where the
   * error says something that cannot be helped, or where it is none of the session's.
   */
  retry: (
    error: unknown,
    request: ProviderRequest,
    model: ProviderModel,
  ) => Promise<ProviderRequest | undefined>
}

function withBeta(request: ProviderRequest): ProviderRequest {
  const headers = withCompactionBeta(request.headers, request.prompt)
  return headers === request.headers || !headers ? request : { ...request, headers }
}

/** Makes a request once more where its provider says that it is too long, or refuses its reasoning. */
export function recoveringMiddleware({ made, instead, retry }: Recovery): RecoveringMiddleware {
  /** The answer to a request or to what is made in its place, and the request that got it. */
  async function answered<Result>(
    first: ProviderRequest,
    model: ProviderModel,
    ask: (request: ProviderRequest) => PromiseLike<Result>,
  ): Promise<{ given: Result; asked: ProviderRequest }> {
    for (let asked = first; ;) {
      try {
        return { given: await ask(asked), asked }
      } catch (error) {
        const next = await retry(error, asked, model)
        if (!next) return throwFinally(error)
        asked = withBeta(next)
      }
    }
  }

  async function streamed(
    first: ProviderRequest,
    model: ProviderModel,
    ask: (request: ProviderRequest) => PromiseLike<StreamResult>,
  ): Promise<StreamResult> {
    const { given, asked } = await answered(first, model, ask)
    const second = async (error: unknown) => {
      const next = await retry(error, asked, model)
      return next && (await streamed(withBeta(next), model, ask)).stream
    }
    return { ...given, stream: recoveringStream(given.stream, second) }
  }

  async function firstOf(params: ProviderRequest, model: ProviderModel): Promise<ProviderRequest> {
    made(params)
    const repeated = await instead(params, model)
    return repeated ? withBeta(repeated) : params
  }

  return {
    specificationVersion: 'v4',
    transformParams: async ({ params }) => withBeta(params),
    async wrapGenerate({ doGenerate, params, model }) {
      const ask = (asked: ProviderRequest) =>
        asked === params ? doGenerate() : model.doGenerate(asked)
      return (await answered(await firstOf(params, model), model, ask)).given
    },
    async wrapStream({ doStream, params, model }) {
      const ask = (asked: ProviderRequest) =>
        asked === params ? doStream() : model.doStream(asked)
      return streamed(await firstOf(params, model), model, ask)
    },
  }
}
