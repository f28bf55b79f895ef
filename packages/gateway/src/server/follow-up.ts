import { ContextFloorError, ThroughlineError } from 'throughline'
import { PendingCallsError } from 'throughline/conversation'
import { overflowOf } from 'throughline/engine'
import { errorInBody } from '../answers/provider-error.ts'
import type { BegunAnswer } from '../answers/begun-answer.ts'
import type { ModelRequest } from './model-request.ts'
import type { Refuge, WithoutStore } from '../sessions/without-store.ts'
import type { Said } from './forward.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Turn } from '../sessions/turn.ts'

export interface Following {
  sessions: Sessions
  /** What fits a refused request while the store cannot be used. */
  withoutStore: WithoutStore
  /** Told of everything that goes wrong inside, for which a request was forwarded as it came. */
  onProblem: (problem: unknown) => void
}

/** A compaction, and what a provider does not take back after it. */
export const mostTries = 3

/** A refusal of the size, or of what we have made of the request. */
export function mayBeCured(begun: BegunAnswer, turn: Turn | undefined): boolean {
  if (begun.is === 'overflow') return true
  return begun.is === 'failed' && begun.status === 400 && turn?.body !== undefined
}

export function refusedError(begun: BegunAnswer): unknown {
  return errorInBody(begun.status, 'body' in begun ? begun.body.toString('utf8') : '')
}

export interface Followed {
  turn: Turn | undefined
  said: Said
}

/** Follows a request that may be near its window; whatever fails, it is forwarded as it came. */
export async function followUp(
  { sessions, onProblem }: Following,
  request: ModelRequest | undefined,
  isCalledFor: boolean,
): Promise<Followed> {
  if (request) await sessions.know(request)
  if (!request || !(isCalledFor || sessions.mayBeLong(request)))
    return { turn: undefined, said: { did: 'nothing' } }
  try {
    const turn = await sessions.follow(request)
    return { turn, said: turn ? saidOf(turn) : { did: 'nothing' } }
  } catch (error) {
    onProblem(error)
    return { turn: undefined, said: forwardedFor(error) }
  }
}

/** Where the store fails, the model is told so, and the client's answer goes on. */
export function replyOf(turn: Turn, onProblem: Following['onProblem']): Turn['reply'] {
  return (call) =>
    turn.reply(call).catch((problem: unknown) => {
      onProblem(problem)
      return 'The record of this session cannot be read now. Go on without it.'
    })
}

interface Refused {
  request: ModelRequest
  turn: Turn | undefined
  /** Where what was refused had been fitted without the store. */
  refuge: Refuge | undefined
  error: unknown
}

interface Cured extends Followed {
  body: Buffer | undefined
  refuge?: Refuge
}

/** What can be sent after a refusal. */
export async function cured(
  { sessions, withoutStore, onProblem }: Following,
  { request, turn, refuge, error }: Refused,
): Promise<Cured> {
  try {
    if (refuge) return { turn: undefined, refuge, body: await refuge.recover(error), said: {} }
    if (!turn) {
      const next = await sessions.follow(request, error)
      const said: Said = next ? { ...saidOf(next), did: 'recovered' } : {}
      return { turn: next, body: next?.body, said }
    }
    const body = await turn.recover(error)
    return { turn, body, said: body ? { did: 'recovered', session: turn.session } : {} }
  } catch (problem) {
    onProblem(problem)
    const said = forwardedFor(problem)
    if (refuge || isUsual(problem) || !overflowOf(error)) return { turn, body: undefined, said }
    const found = await withoutStore.fit(request, error).catch(onProblem)
    if (!found?.body) return { turn, body: undefined, said }
    return { turn: undefined, refuge: found, body: found.body, said: { ...said, did: 'recovered' } }
  }
}

function saidOf({ did, session, tokens }: Turn): Said {
  return { did, session, tokens: String(tokens) }
}

function forwardedFor(error: unknown): Said {
  const reason = ThroughlineError.isInstance(error) ? error.code : 'INTERNAL'
  return { did: 'forwarded', reason: isUsual(error) ? reason : `failed ${reason}` }
}

/** Nothing is broken: nothing can be left out now. */
function isUsual(error: unknown): boolean {
  return PendingCallsError.isInstance(error) || ContextFloorError.isInstance(error)
}
