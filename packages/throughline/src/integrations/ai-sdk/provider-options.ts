import { APICallError, gateway, wrapLanguageModel } from 'ai'
import { isProxyRefusal } from '../../compaction/summary/with-model/refused.ts'
import type { LanguageModel, LanguageModelMiddleware, ProviderMetadata } from 'ai'
import type { TextPart } from '../../log/message.ts'

/**
 * A provider's metadata for a part, in the form in which it is sent back; nothing if there is none.
 */
export function providerOptions(
  metadata: ProviderMetadata | undefined,
): Pick<TextPart, 'providerOptions'> {
  return metadata === undefined ? {} : { providerOptions: metadata }
}

/**
 * The name under which a model is requested; the name in a provider's answer may include a date.
 */
export function modelId(model: LanguageModel): string {
  return typeof model === 'string' ? model : model.modelId
}

/** A model name is looked up with the SDK's provider: its gateway, unless another was set. */
export function modelOf(model: LanguageModel): Exclude<LanguageModel, string> {
  if (typeof model !== 'string') return model
  const { AI_SDK_DEFAULT_PROVIDER: chosen } = globalThis
  return (chosen ?? gateway).languageModel(model)
}

/**
 * The same model, not asked again where a proxy wants a password: the SDK takes that for a broken
 * connection and tries again.
 */
export function askedOnceByProxy(model: LanguageModel): LanguageModel {
  return wrapLanguageModel({ model: modelOf(model), middleware: proxyRefusalIsFinal })
}

const proxyRefusalIsFinal: LanguageModelMiddleware = {
  specificationVersion: 'v4',
  wrapGenerate: ({ doGenerate }) => doGenerate().then(undefined, throwFinally),
  wrapStream: ({ doStream }) => doStream().then(undefined, throwFinally),
}

/** Throws an error of a request so that the SDK asks again only where that may help. */
export function throwFinally(error: unknown): never {
  if (!APICallError.isInstance(error) || !isProxyRefusal(error)) throw error
  const { message, url, requestBodyValues, cause } = error
  throw new APICallError({ message, url, requestBodyValues, cause, isRetryable: false })
}
