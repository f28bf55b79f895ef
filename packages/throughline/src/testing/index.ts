export { scriptedModel } from './scripted-model.ts'
export { scriptedSummarizer, goodSummary } from './scripted-summarizer.ts'
export { storeConformance } from './store-conformance.ts'
export { formatConformance } from './format-conformance.ts'
export { promptProblems, IllegalPromptError } from './prompt-rules.ts'
export { overflowError, PromptTooLongError } from './overflow-errors.ts'
export { bytesOverFour, promptTokens, requestTokens } from './prompt-tokens.ts'
export { illegalities } from './legal.ts'
export type {
  Script,
  ScriptedModel,
  ScriptedModelOptions,
  ScriptedRequest,
  ScriptedRules,
} from './scripted-model.ts'
export type { ScriptedAnswer, ScriptedCall } from './scripted-answer.ts'
export type { ScriptedSummarizer, ScriptedSummary } from './scripted-summarizer.ts'
export type { CreateStore, StoreCase } from './store-conformance.ts'
export type { ConformanceCase, FormatSample } from './format-conformance.ts'
export type { OverflowVoice } from './overflow-errors.ts'
