export { scriptedModel } from './scripted-model.ts'
export { promptProblems, IllegalPromptError } from './prompt-rules.ts'
export { bytesOverFour, promptTokens, requestTokens } from './prompt-tokens.ts'
export type {
  Script,
  ScriptedModel,
  ScriptedModelOptions,
  ScriptedRequest,
  ScriptedRules,
} from './scripted-model.ts'
export type { ScriptedAnswer, ScriptedCall } from './scripted-answer.ts'
