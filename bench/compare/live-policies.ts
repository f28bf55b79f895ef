import {
  defaultPolicy,
  memoryStore,
  openSession,
  type EntryDraft,
  type EntryOf,
  type Message,
  type Policy,
  type Summarizer,
} from 'throughline'
import { chronological, logOf, usableTokens } from 'throughline/engine'
import { tokensOf, visibleTextOfMessages, type Compactor } from 'throughline/evaluation'
import type { Asked } from '../peers/stand-in.ts'
import type { LivePolicy } from './life.ts'

/** Throughline as it runs: its gate before every request. */
export function throughlineLives(
  name: string,
  options: { policy?: Policy; summarizer?: Summarizer; asked?: readonly Asked[] } = {},
): LivePolicy {
  const { asked = [], ...others } = options
  return {
    name,
    open: async ({ directories }, window) => {
      let at = 0
      const session = await openSession({
        store: memoryStore(),
        id: 'life',
        window: { context: window },
        directories,
        count: tokensOf,
        now: () => at,
        ...others,
      })
      return {
        append: async (entry) => {
          at = entry.at
          await session.append(withoutUsage(entry))
        },
        fit: async () => {
          const before = asked.length
          const { action } = await session.fit()
          return { compacted: action !== 'none', asked: asked.slice(before) }
        },
        messages: () => session.messages(),
      }
    },
  }
}

/** The same gate for any compactor: as full and as much kept as Throughline's default. */
export function compactorLives(compactor: Compactor, asked: readonly Asked[]): LivePolicy {
  return {
    name: compactor.name,
    open: async ({ directories }, window) => {
      const usable = usableTokens({ context: window }, defaultPolicy.reserved({ context: window }))
      const keep = defaultPolicy.keep(usable)
      let log = logOf([])
      let messages: Message[] = []
      return {
        append: async (entry) => {
          messages.push(entry.message)
          log = chronological([...log, { ...entry, seq: (log.at(-1)?.seq ?? 0) + 1 }])
        },
        fit: async () => {
          const before = asked.length
          const tokens = tokensOf(visibleTextOfMessages(messages))
          if (tokens < usable) return { compacted: false, asked: [] }
          const compacted = await compactor.compact({ log, keep, directories })
          log = compacted.log
          messages = [...compacted.messages]
          return { compacted: true, asked: asked.slice(before) }
        },
        messages: () => messages,
      }
    },
  }
}

/** The provider's figure was for the request that was really made, not for this one. */
function withoutUsage({
  kind,
  at,
  message,
  origin,
  model,
  finish,
}: EntryOf<'message'>): EntryDraft {
  return { kind, at, message, origin, ...(model && { model }), ...(finish && { finish }) }
}
