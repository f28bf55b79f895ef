export { scriptedModel } from './scripted/scripted-model.ts'
export type { ScriptedModel } from './scripted/scripted-model.ts'
export type { ScriptedAnswer, ScriptedCall } from './scripted/scripted-answer.ts'
