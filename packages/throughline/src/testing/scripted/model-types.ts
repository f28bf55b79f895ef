import type { LanguageModel } from 'ai'

/** The AI SDK's own names for what a provider implements, without a dependency on its package. */
export type ProviderModel = Extract<LanguageModel, { specificationVersion: 'v4' }>
export type ProviderRequest = Parameters<ProviderModel['doStream']>[0]
export type ProviderPrompt = ProviderRequest['prompt']
export type ProviderMessage = ProviderPrompt[number]
export type ProviderStream = Awaited<ReturnType<ProviderModel['doStream']>>['stream']
export type ProviderStreamPart = ProviderStream extends ReadableStream<infer Part> ? Part : never
export type ProviderAnswer = Awaited<ReturnType<ProviderModel['doGenerate']>>
export type ProviderUsage = ProviderAnswer['usage']
