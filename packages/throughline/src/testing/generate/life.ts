import { ContextFloorError, PinBudgetError } from '../../compaction/errors.ts'
import { partsOf } from '../../log/message.ts'
import { NothingToUndoError, PinNotFoundError } from '../../session/errors.ts'
import { forkSession } from '../../session/operations/fork.ts'
import { openSession, type Session, type SessionOptions } from '../../session/session.ts'
import { openCallIds } from '../open-calls.ts'
import { result, tool } from './build.ts'
import type { Action } from './actions.ts'
import type { Seq } from '../../log/entry.ts'
import type { ToolCallPart } from '../../log/message.ts'
import type { Store } from '../../session/store.ts'

/** A session in a store, and how it is opened. */
export interface Life {
  store: Store
  session: Session
  options: Omit<SessionOptions, 'store'>
}

/** Begins a life whose clock counts what is done, so that it goes the same way again. */
export async function beginLife(store: Store, id = 'a'): Promise<Life> {
  let clock = 0
  const options = { id, window: { context: 200_000 }, now: () => ++clock }
  return { store, options, session: await openSession({ ...options, store }) }
}

const refusals = [NothingToUndoError, PinBudgetError, PinNotFoundError, ContextFloorError]

/** Does it, or finds that it cannot be done. */
export async function act(life: Life, action: Action): Promise<void> {
  try {
    await perform(life, action)
  } catch (error) {
    if (!refusals.some((refusal) => error instanceof refusal)) throw error
  }
}

async function perform(life: Life, action: Action): Promise<unknown> {
  const { session, store, options } = life
  switch (action.does) {
    case 'say':
      return session.say(action.text)
    case 'append':
      return session.append(...action.drafts)
    case 'answer':
      return answer(session, openCallIds(session.messages()))
    case 'answer late':
      return answer(session, [callAt(await calls(session), action.share)])
    case 'compact':
      return session.compact()
    case 'gate': {
      const window = { context: action.window }
      await (await openSession({ ...options, store, window })).fit()
      return session.sync()
    }
    case 'undo':
      return session.undo()
    case 'rewind':
      return session.rewind(Math.floor(action.share * session.context().seq))
    case 'pin': {
      const seq = await messageAt(session, action.share)
      return action.share > 0.5 ? session.pin('Keep this.') : session.pin('And that.', `${seq}.0`)
    }
    case 'unpin':
      return session.unpin([...session.context().pins.keys()][0] ?? 0)
    case 'redact a text':
      return session.redact({ text: action.text })
    case 'redact a message':
      return session.redact({ ref: `${await messageAt(session, action.share)}` })
    case 'reopen':
      life.session = await openSession({ ...options, store })
      return undefined
    case 'fork': {
      const upTo = Math.ceil(action.share * session.context().seq) || 1
      const id = `${session.id}-${upTo}`
      await store.remove(id)
      await forkSession(store, session.id, id, { upTo })
      life.options = { ...options, id }
      life.session = await openSession({ ...life.options, store })
      return undefined
    }
  }
}

async function answer(session: Session, ids: readonly (string | undefined)[]): Promise<void> {
  for (const id of ids) {
    if (id !== undefined) await session.append(tool(result(id, 'Read', `what ${id} gave`)))
  }
}

async function calls(session: Session): Promise<ToolCallPart[]> {
  return (await session.log())
    .flatMap((entry) => (entry.kind === 'message' ? partsOf(entry.message) : []))
    .filter((part) => part.type === 'tool-call')
}

function callAt(calls: readonly ToolCallPart[], share: number): string | undefined {
  return calls[Math.floor(share * (calls.length - 1))]?.toolCallId
}

async function messageAt(session: Session, share: number): Promise<Seq> {
  const messages = (await session.log()).filter(({ kind }) => kind === 'message')
  return messages[Math.floor(share * (messages.length - 1))]?.seq ?? 1
}
