export { startProvider } from './scripted-provider.ts'
export { overflowError, PromptTooLongError } from '../overflow-errors.ts'
export type {
  ProviderScript,
  ScriptedProvider,
  ScriptedProviderOptions,
} from './scripted-provider.ts'
export type { OverflowVoice } from '../overflow-errors.ts'
export type { ScriptedAnswer, ScriptedCall } from '../scripted/scripted-answer.ts'
export type { ProviderRules } from './provider-rules.ts'
export type { Refusal, ServedAnswer } from './served-answer.ts'
export type { SaidPart, ServedRequest } from './served-request.ts'
