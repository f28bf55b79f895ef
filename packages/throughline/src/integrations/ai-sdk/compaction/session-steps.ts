import { calibrationDraft } from '../../../session/loop/step-record.ts'
import { finishOf, usageOf } from '../usage.ts'
import { fromModelMessages, toModelMessages } from '../model-messages.ts'
import { summariesIn, withSummaries } from './instructions.ts'
import {
  reconcile,
  type MessageFacts,
  type ReconcileOptions,
} from '../../../session/reconcile/reconcile.ts'
import type { FinishedStep, PreparedStep, StepToPrepare } from './agent-step.ts'
import type { Message } from '../../../log/message.ts'
import type { Session } from '../../../session/session.ts'

/**
 * Saves the new messages: what the model said in the latest step, with its usage, and all others
 * according to their roles.
 */
export async function writeDown(
  session: Session,
  messages: readonly Message[],
  last: FinishedStep | undefined,
  describe: ReconcileOptions['describe'],
): Promise<void> {
  const newest = messages.findLastIndex(({ role }) => role === 'assistant')
  const facts = last && factsOf(last)
  // The context that the answer was given to; it grows with the answer.
  const taught = facts ? calibrationDraft(session, facts) : []
  const { appended } = await reconcile(session, messages, {
    describe: (message, index) => ({
      ...(index === newest && facts),
      ...describe?.(message, index),
    }),
  })
  const answered = appended.some((entry) => entry.kind === 'message' && entry.origin === 'model')
  if (answered && taught.length > 0) await session.append(...taught)
}

function factsOf({ usage, finishReason, model }: FinishedStep): MessageFacts {
  const used = usageOf(usage)
  return {
    finish: finishOf(finishReason),
    model: model.modelId,
    ...(used && { usage: used }),
  }
}

/** The SDK's conversation as messages of a log. */
export function messagesOf({ instructions, messages }: StepToPrepare): Message[] {
  return fromModelMessages([...summariesIn(instructions), ...messages])
}

/** What a session would send now. The instructions are built again from the initial ones. */
export function preparedStep(session: Session, step: StepToPrepare): PreparedStep {
  const { system, messages } = toModelMessages(session.messages())
  const stale = summariesIn(step.instructions).length > 0
  return {
    messages,
    ...((stale || system.length > 0) && {
      instructions: withSummaries(step.initialInstructions, system),
    }),
  }
}
