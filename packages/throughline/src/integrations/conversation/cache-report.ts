import { isSame } from '../../wires/same.ts'
import {
  least,
  modelTokens,
  plus,
  sumEstimated,
  toModel,
  type ModelTokens,
} from '../../tokens/units.ts'
import type { Entry } from '../../log/entry.ts'
import type { Message } from '../../log/message.ts'
import type { Session } from '../../session/session.ts'

/** What a provider's prompt cache can give the next request. */
export interface CacheReport {
  /** Tokens of the model that the next request has in common with the last one, from its beginning. */
  hits: ModelTokens
  /** The size of the next request. */
  tokens: ModelTokens
  /**
   * Why it has less than all of the last one in common: there was none, the system prompt or the
   * tools are others, a compaction or an undo changed the context, or the host changed a message.
   */
  broken?: 'nothing-sent' | 'system' | 'compacted' | 'rewound' | 'changed'
  /** Whether so much time has passed that a provider has usually forgotten it: five minutes. */
  isExpired: boolean
  /** What the provider read of the last request from its cache, if it counted that. */
  lastRead?: number
}

/** A request that was made. */
interface SentRequest {
  messages: readonly Message[]
  frame: string
  seq: number
  at: number
}

/** Milliseconds for which Anthropic and OpenAI keep a prompt, unless they are asked to longer. */
const usualLife = 300_000

/** Remembers what was sent last. */
export interface CacheWatch {
  sent: () => void
  report: () => Promise<CacheReport>
}

export function cacheWatch(session: Session): CacheWatch {
  let last: SentRequest | undefined

  function frameNow(): string {
    const { system, tools } = session.frame
    return JSON.stringify([system, tools])
  }

  return {
    sent() {
      const { seq } = session.context()
      last = { messages: session.messages(), frame: frameNow(), seq, at: session.now() }
    },
    async report() {
      const log = await session.log()
      const { counter } = session
      const { tokens, system, tools } = session.measure()
      const read = log.findLast((entry) => entry.kind === 'message' && entry.usage)
      const lastRead = read?.kind === 'message' ? read.usage?.cacheReadTokens : undefined
      const rest = { tokens, ...(lastRead !== undefined && { lastRead }) }
      const nothing = modelTokens(0)
      if (!last) return { hits: nothing, broken: 'nothing-sent', isExpired: false, ...rest }
      const isExpired = session.now() - last.at > usualLife
      if (last.frame !== frameNow()) return { hits: nothing, broken: 'system', isExpired, ...rest }
      const now = session.messages()
      const common = commonIn(last.messages, now)
      const sizes = now.slice(0, common).map((message) => counter.message(message))
      const hits = least(plus(system, tools, toModel(sumEstimated(sizes), counter.ratio)), tokens)
      const broken = common < last.messages.length && { broken: reasonIn(log, last.seq) }
      return { hits, isExpired, ...broken, ...rest }
    },
  }
}

/** What has changed a context since. */
function reasonIn(log: readonly Entry[], seq: number): NonNullable<CacheReport['broken']> {
  const since = log.filter((entry) => entry.seq > seq)
  if (since.some(({ kind }) => kind === 'rewind')) return 'rewound'
  const isCompacted = since.some(({ kind }) => kind === 'checkpoint' || kind === 'prune')
  return isCompacted ? 'compacted' : 'changed'
}

function commonIn(before: readonly Message[], now: readonly Message[]): number {
  const end = before.findIndex((message, index) => !isSame(message, now[index]))
  return end === -1 ? before.length : end
}
