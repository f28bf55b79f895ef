import { isSame } from '../../match/same.ts'
import {
  least,
  modelTokens,
  plus,
  sumEstimated,
  toModel,
  type ModelTokens,
} from '../../tokens/units.ts'
import { sameBeginning } from '../../match/prefix.ts'
import type { Entry } from '../../log/entry.ts'
import type { Message } from '../../log/message.ts'
import type { Session } from '../../session/session.ts'

/** What a request has in common with the one before it, from its beginning. */
interface CachedPrefix {
  /** Tokens of the model that both requests begin with. */
  hits: ModelTokens
  /** The size of the request. */
  tokens: ModelTokens
  /**
   * Why it has less than all of the one before in common: there was none, the system prompt or the
   * tools are others, a compaction or an undo changed the context, or the host changed a message.
   */
  broken?: 'nothing-sent' | 'system' | 'compacted' | 'rewound' | 'changed'
}

/**
 * What a provider's prompt cache can give the next request, as the context is now. A compaction that
 * new messages make due comes only with them: `last` tells of it when the request has been made.
 */
export interface CacheReport extends CachedPrefix {
  /** Whether so much time has passed that a provider has usually forgotten it: five minutes. */
  isExpired: boolean
  /** The same of the last request; missing if none was made in this process. */
  last?: CachedPrefix
  /** What the provider read of the last request from its cache, if it counted that. */
  lastRead?: number
}

interface SentRequest {
  messages: readonly Message[]
  frame: string
  seq: number
  at: number
}

/** Milliseconds for which Anthropic and OpenAI keep a prompt, unless they are asked to longer. */
const usualLife = 300_000

export interface CacheWatch {
  sent: () => void
  report: () => Promise<CacheReport>
}

export function cacheWatch(session: Session): CacheWatch {
  let before: SentRequest | undefined
  let last: SentRequest | undefined

  function requestNow(): SentRequest {
    const { system, tools } = session.frame
    return {
      messages: session.messages(),
      frame: JSON.stringify([system, tools]),
      seq: session.context().seq,
      at: session.now(),
    }
  }

  /** With the system prompt and the tools. */
  function sizeOf(messages: readonly Message[]): ModelTokens {
    const { counter } = session
    const { system, tools } = session.measure()
    const sizes = messages.map((message) => counter.message(message))
    return plus(system, tools, toModel(sumEstimated(sizes), counter.ratio))
  }

  function prefixOf(
    { messages, frame, seq }: SentRequest,
    tokens: ModelTokens,
    { earlier, log }: { earlier: SentRequest | undefined; log: readonly Entry[] },
  ): CachedPrefix {
    const nothing = modelTokens(0)
    if (!earlier) return { hits: nothing, tokens, broken: 'nothing-sent' }
    if (earlier.frame !== frame) return { hits: nothing, tokens, broken: 'system' }
    const common = sameBeginning(earlier.messages, messages, isSame)
    const since = log.filter((entry) => entry.seq > earlier.seq && entry.seq <= seq)
    return {
      hits: least(sizeOf(messages.slice(0, common)), tokens),
      tokens,
      ...(common < earlier.messages.length && { broken: reasonIn(since) }),
    }
  }

  return {
    sent() {
      before = last
      last = requestNow()
    },
    async report() {
      const log = await session.log()
      const read = log.findLast((entry) => entry.kind === 'message' && entry.usage)
      const lastRead = read?.kind === 'message' ? read.usage?.cacheReadTokens : undefined
      return {
        ...prefixOf(requestNow(), session.measure().tokens, { earlier: last, log }),
        isExpired: last !== undefined && session.now() - last.at > usualLife,
        ...(last && { last: prefixOf(last, sizeOf(last.messages), { earlier: before, log }) }),
        ...(lastRead !== undefined && { lastRead }),
      }
    },
  }
}

/** What has changed a context. */
function reasonIn(since: readonly Entry[]): NonNullable<CachedPrefix['broken']> {
  if (since.some(({ kind }) => kind === 'rewind')) return 'rewound'
  const isCompacted = since.some(({ kind }) => kind === 'checkpoint' || kind === 'prune')
  return isCompacted ? 'compacted' : 'changed'
}
