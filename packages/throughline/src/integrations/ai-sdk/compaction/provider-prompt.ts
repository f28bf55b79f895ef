import type { ModelMessage } from 'ai'
import type { ProviderModel, ProviderRequest } from './recovering-middleware.ts'

/** Messages as a provider is sent them, by the SDK's own conversion. */
export async function providerPrompt(
  messages: ModelMessage[],
  request: ProviderRequest,
  model: ProviderModel,
): Promise<ProviderRequest['prompt']> {
  // Needed where something has gone wrong, and nowhere else.
  const { convertToLanguageModelPrompt } = await import('ai/internal')
  return convertToLanguageModelPrompt({
    prompt: { instructions: undefined, messages },
    supportedUrls: await model.supportedUrls,
    download: undefined,
    provider: model.provider.split('.')[0] ?? model.provider,
    ...(request.abortSignal && { abortSignal: request.abortSignal }),
  })
}
