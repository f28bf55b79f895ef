export { scriptedModel } from './scripted/scripted-model.ts'
export { promptProblems, IllegalPromptError } from './prompt-rules.ts'
export { bytesOverFour, promptTokens, requestTokens } from './prompt-tokens.ts'
export type {
  Script,
  ScriptedModel,
  ScriptedModelOptions,
  ScriptedRequest,
  ScriptedRules,
} from './scripted/scripted-model.ts'
export type { ScriptedAnswer, ScriptedCall } from './scripted/scripted-answer.ts'
