import { recoveringStream, type StreamResult } from './recovering-stream.ts'
import type { LanguageModelMiddleware } from 'ai'

/**
 * The parts of the SDK's middleware interface that ours implements, with the SDK's names for their
 * arguments.
 */
export type RecoveringMiddleware = Required<
  Pick<LanguageModelMiddleware, 'wrapGenerate' | 'wrapStream'>
> & { specificationVersion: 'v4' }
export type ProviderRequest = Parameters<RecoveringMiddleware['wrapStream']>[0]['params']
export type ProviderModel = Parameters<RecoveringMiddleware['wrapStream']>[0]['model']

/** How to handle requests that are refused. */
export interface Recovery {
  /** A request is about to be made. */
  made: (request: ProviderRequest) => void
  /**
   * The request to make in place of one that was refused before: the SDK repeats the first one if
   * the second failed in some other way. `undefined` for any other request.
   */
  instead: (request: ProviderRequest, model: ProviderModel) => Promise<ProviderRequest | undefined>
  /**
   * The request to make in place of one that was refused with this error; `undefined` if the error
   * doesn't say that it was too long, or if it isn't the session's request.
   */
  retry: (
    error: unknown,
    request: ProviderRequest,
    model: ProviderModel,
  ) => Promise<ProviderRequest | undefined>
  /** The error to throw if the second request is refused, too. */
  refusedAgain: (error: unknown) => unknown
}

/** Repeats a request once if its provider says that it is too long. */
export function recoveringMiddleware({
  made,
  instead,
  retry,
  refusedAgain,
}: Recovery): RecoveringMiddleware {
  async function streamAgain(next: ProviderRequest, model: ProviderModel): Promise<StreamResult> {
    const result = await orRefusedAgain(() => model.doStream(next))
    const throwing = async (second: unknown): Promise<never> => {
      throw refusedAgain(second)
    }
    return { ...result, stream: recoveringStream(result.stream, throwing) }
  }

  async function orRefusedAgain<Result>(ask: () => PromiseLike<Result>): Promise<Result> {
    try {
      return await ask()
    } catch (error) {
      throw refusedAgain(error)
    }
  }

  return {
    specificationVersion: 'v4',
    async wrapGenerate({ doGenerate, params, model }) {
      made(params)
      const repeated = await instead(params, model)
      if (repeated) return orRefusedAgain(() => model.doGenerate(repeated))
      try {
        return await doGenerate()
      } catch (error) {
        const next = await retry(error, params, model)
        if (!next) throw error
        return await orRefusedAgain(() => model.doGenerate(next))
      }
    },
    async wrapStream({ doStream, params, model }) {
      made(params)
      const repeated = await instead(params, model)
      if (repeated) return streamAgain(repeated, model)
      try {
        const result = await doStream()
        const second = async (error: unknown) => {
          const next = await retry(error, params, model)
          return next && (await streamAgain(next, model)).stream
        }
        return { ...result, stream: recoveringStream(result.stream, second) }
      } catch (error) {
        const next = await retry(error, params, model)
        if (!next) throw error
        return await streamAgain(next, model)
      }
    },
  }
}
