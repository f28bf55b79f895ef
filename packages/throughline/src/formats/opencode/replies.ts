import { fieldsOf, nameOf, objectsOf, type Fields } from '../../json/fields.ts'
import { modelNameOf } from '../writing/model-name.ts'
import { addResult, closeResults, giveReply } from '../conversation/conversation.ts'
import { omit, type State } from './state.ts'
import { stepsOf, type Step } from './steps.ts'
import { isAborted } from './usage.ts'

/** Gives an assistant's message, step by step, each with its results. */
export function giveReplies(state: State, message: Fields, last: boolean): void {
  const info = fieldsOf(message['info']) ?? {}
  const aborted = isAborted(info)
  // opencode never shows the model a reply that failed.
  if (info['error'] && !(aborted && holdsWork(message))) return omit(state, 'failed-reply')
  const model = modelNameOf(info['modelID'])
  const id = nameOf(info['id'])
  const metadata = id ? { source: { records: [id] } } : undefined
  const steps = stepsOf(message)
  steps.forEach((step, index) => {
    const { parts, usage, results } = step
    const stopped = aborted ? index === steps.length - 1 : hasOpenCalls(step) && !last
    const finish = stopped ? 'aborted' : step.finish
    const at = state.at
    if (!giveReply(state.conversation, { at, parts, model, usage, finish, metadata })) {
      if (parts.length > 0) omit(state, 'unfinished')
      return
    }
    for (const result of results) addResult(state.conversation, { at, ...result })
    closeResults(state.conversation)
  })
}

function holdsWork(message: Fields): boolean {
  return objectsOf(message['parts']).some(
    ({ type }) => type !== 'step-start' && type !== 'reasoning',
  )
}

function hasOpenCalls({ parts, results }: Step): boolean {
  const calls = parts.filter((part) => part.type === 'tool-call' && !part.providerExecuted)
  return calls.length > results.length
}
