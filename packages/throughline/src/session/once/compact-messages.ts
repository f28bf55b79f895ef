import { checkMessages } from '../../log/check-message.ts'
import { isSummaryBlock } from '../../compaction/render/summary-block.ts'
import { messageText, type Message } from '../../log/message.ts'
import { compactLog, type CompactedLog, type CompactLogOptions } from './compact-log.ts'
import { chronological, type Chronological } from '../../log/order.ts'
import { entriesOf } from './log-of-messages.ts'
import { beginsWith } from '../../match/prefix.ts'
import { messageKeys, saysTheSame } from '../../match/message-keys.ts'
import type { Window } from '../../tokens/window.ts'

/** What is known of arrays that were compacted before, for as long as their messages live. */
interface KnownArrays {
  /** The log behind an array, and how to remember what a compaction makes of it. */
  behind: (
    said: readonly Message[],
    window: Window,
  ) => { log: Chronological; remember: (compacted: CompactedLog) => void }
}

interface Known {
  messages: readonly Message[]
  log: Chronological
}

/** An array that a host keeps in full, while what it is sent is shorter. */
interface FullHistory extends Known {
  window: Window
  /** How many messages it had when it was last compacted. */
  compactedAt: number
}

// Conversations may begin with the same message object.
const mostHistories = 8

function knownArrays(): KnownArrays {
  /** What was given back, by its first message. */
  const given = new WeakMap<Message, Known>()
  /** What came, by its first message. */
  const came = new WeakMap<Message, FullHistory[]>()

  /**
   * The same array that was just compacted is a new question, perhaps with other options. Only one
   * that has grown since goes on from the compaction.
   */
  function historyBehind(said: readonly Message[], window: Window): FullHistory | undefined {
    const [first] = said
    return (first ? came.get(first) : undefined)?.find(
      (history) =>
        said.length > history.compactedAt &&
        isSameWindow(window, history.window) &&
        beginsWith(said, history.messages, isSame),
    )
  }

  function rememberHistory(before: FullHistory | undefined, now: FullHistory): void {
    const [first] = now.messages
    if (!first) return
    const others = (came.get(first) ?? []).filter((history) => history !== before)
    const histories = [now, ...others].slice(0, mostHistories)
    came.set(first, histories)
  }

  return {
    behind(said, window) {
      const [first] = said
      const back = first && given.get(first)
      const known = back && beginsWith(said, back.messages, isSame) ? back : undefined
      const history = historyBehind(said, window)
      // What came in before the compaction was given back, too, and knows nothing of it.
      const isNewer = history && history.messages.length >= (known?.messages.length ?? 0)
      return {
        log: grown(isNewer ? history : known, said),
        remember({ messages, log, report }) {
          const [rendered] = messages
          if (rendered) given.set(rendered, { messages, log })
          const compactedAt = report.action === 'none' ? history?.compactedAt : said.length
          if (compactedAt === undefined) return
          rememberHistory(history, { messages: [...said], log, window, compactedAt })
        },
      }
    },
  }
}

function grown(known: Known | undefined, said: readonly Message[]): Chronological {
  if (!known) return chronological(entriesOf(said, 0))
  const newest = known.log.at(-1)?.seq ?? 0
  return chronological([...known.log, ...entriesOf(said.slice(known.messages.length), newest)])
}

function isSame(one: Message, other: Message): boolean {
  return one === other || saysTheSame(messageKeys(one), messageKeys(other))
}

function isSameWindow(one: Window, other: Window): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** The result of {@link compactMessages}: messages of the same type as the input. */
export type CompactedMessages<M> = Omit<CompactedLog, 'messages'> & { messages: M[] }

const arrays = knownArrays()

/**
 * Compacts the messages of an agent that keeps its own array, in the type that it uses: the AI
 * SDK's `ModelMessage`, or {@link Message}. System messages at the beginning are the system prompt
 * and stay where they are.
 *
 * Pass the returned array again, with what has been added since: the next compaction still knows
 * everything that the array replaced. Or pass your full history at every step: its compaction is
 * reused for as long as the result fits, so the history is compacted once each time it outgrows the
 * window. Both work for the same message objects in the same process. If an array was copied
 * through JSON, only its summary is read back, and each call compacts a full history anew. A {@link
 * Session} with `reconcile` keeps the whole log and recognizes copies too.
 * @throws ContextFloorError if even the smallest possible context doesn't fit the window.
 * @throws InvalidEntryError if something among them is no message; `field` names its place.
 * @example
 * const { messages: shorter } = await compactMessages(messages, { window: { context: 200_000 } })
 */
export async function compactMessages<M extends Message>(
  messages: readonly M[],
  options: CompactLogOptions,
): Promise<CompactedMessages<M>> {
  checkMessages(messages)
  const start = messages.findIndex((message) => !isPrompt(message))
  const prompt = messages.slice(0, start === -1 ? messages.length : start)
  const said = messages.slice(prompt.length)
  const texts = prompt.map(messageText)
  const system = [...(options.system === undefined ? [] : [options.system]), ...texts].join('\n\n')
  const { log, remember } = arrays.behind(said, options.window)
  const compacted = await compactLog(log, { ...options, system })
  remember(compacted)
  // What is new among them is plain text, in shapes that every message type has.
  return { ...compacted, messages: [...prompt, ...(compacted.messages as M[])] }
}

/** Not if an earlier compaction put its summary there; that is compacted again. */
function isPrompt(message: Message): boolean {
  return message.role === 'system' && !isSummaryBlock(message.content)
}
