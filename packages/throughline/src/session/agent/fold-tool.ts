import { markAnswers, markOf, openSubTask } from '../../compaction/fold/sub-task.ts'
import { stretchOf, whyNotFolded } from '../../compaction/fold/fold.ts'
import { unitsOf } from '../../log/steps.ts'
import type { Session } from '../session.ts'

/** How the `fold` tool is described to a model. */
export const foldDescription =
  'Marks a piece of work whose steps need not be kept, such as a search or an experiment. Call it with open before the first step and with close after the last one: then what you learned stands in the place of the steps, and they can still be read back.'

/** The tool's input as JSON Schema: one of both. */
export const foldInputSchema = {
  type: 'object',
  properties: {
    open: { type: 'string', description: 'What is to be found out or tried, in one line.' },
    close: {
      type: 'string',
      description:
        'What was learned: findings with their paths and exact values, what was changed, what failed and why.',
    },
  },
  additionalProperties: false,
} as const

/**
 * Answers a call of the tool. The marks stand in the session itself, as the calls with these
 * answers; with the policy’s `foldTool`, the gate before the next request folds what was closed.
 */
export function foldReply(session: Session, input: unknown): FoldReply {
  const { policy, counter } = session
  const { foldTool } = policy
  if (foldTool === undefined) return { error: 'Folding is off in this session.' }
  const { open, close } = markOf(input)
  if (open !== undefined && close === undefined) {
    return { text: `${markAnswers.open} Close it with what you learned.` }
  }
  if (close === undefined || open !== undefined) {
    return { error: 'Give either open or close.' }
  }
  const context = session.context()
  const units = unitsOf(context.items)
  // The call that this answers may already be in the context.
  const end = units.findLastIndex((unit) => unit.type !== 'step' || unit.status !== 'pending') + 1
  const subTask = openSubTask(units, foldTool, end)
  if (!subTask)
    return { error: 'There is no open sub-task, or its beginning was summarized since.' }
  const given = { context, policy, counter }
  const why = whyNotFolded(close, stretchOf(units, subTask, end, given), given)
  if (why !== undefined) return { error: `Not folded: ${why}. The sub-task is still open.` }
  const text = `${markAnswers.close}, what you learned stands in the place of its steps.`
  return { text, closed: { task: subTask.task, learned: close } }
}

/** What a tool returns to the model, and the sub-task that was closed by it. */
export type FoldReply =
  | { text: string; closed?: { task: string; learned: string } }
  | { error: string }

/** The answer to the model if its client cannot fold: what was learned is only kept. */
export const foldNoted = `${markAnswers.noted}: what you learned is kept for it, word for word.`
