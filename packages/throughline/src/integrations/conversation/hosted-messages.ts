import { checkIsList } from '../../log/check-message.ts'
import { isEach } from '../../match/prefix.ts'
import { callChecker } from './check-calls.ts'
import { promptText, splitPrompt, withStanding } from './standing.ts'
import { reconcile, type MessageFacts } from '../../session/reconcile/reconcile.ts'
import { messagesIn, type Pair } from '../../wires/wire.ts'
import { writeLike, type Written } from '../../wires/remembering/write-like.ts'
import type { Message } from '../../log/message.ts'
import type { RememberingWire } from '../../wires/remembering/remembering.ts'
import type { Session } from '../../session/session.ts'

/** Describes a new message, given the place of its first native among the host's. */
export type DescribeHosted = (message: Message, place: number) => MessageFacts | undefined

/** The messages of a host that keeps them itself, and what a session makes of them. */
export interface HostedMessages<Native> {
  /** Takes the host's current messages and saves the new ones. */
  take: (session: Session, natives: readonly Native[], describe?: DescribeHosted) => Promise<void>
  /** The messages known to come after them, although the host doesn't have them yet. */
  add: (pairs: readonly Pair<Native>[]) => void
  /** The messages of the next request: the original objects, where they say the same. */
  rendered: (session: Session) => readonly Pair<Native>[]
  /** A system prompt, and the messages that belong to it. */
  system: (system: string | undefined) => string
  came: () => readonly Pair<Native>[]
}

/** Nothing has come yet. */
export function hostedMessages<Native>(wire: RememberingWire<Native>): HostedMessages<Native> {
  const checkCalls = callChecker()
  let read: readonly Pair<Native>[] = []
  let came: readonly Pair<Native>[] = []
  let written: Written<Native> | undefined
  let prompt: readonly Message[] = []
  /** What the last messages were written from: with the same, nothing is written again. */
  let from: WrittenFrom<Native> | undefined
  let blocks: readonly Message[] = []
  /** What the provider made of heads so far: a host may still have it first when it is gone. */
  function blocksOf(session: Session): readonly Message[] {
    const { items, checkpoint } = session.context()
    const [first] = items
    const shown = first?.type === 'summary' ? first.block : undefined
    const { messages = [] } = shown ?? checkpoint?.block ?? {}
    const added = messages.filter((message) => !blocks.includes(message))
    if (added.length > 0) blocks = [...blocks, ...added]
    return blocks
  }
  return {
    async take(session, natives, describe) {
      checkIsList(natives)
      came = read = wire.readOn(natives, read)
      const messages = messagesIn(came)
      checkCalls(messages)
      const split = splitPrompt(messages, blocksOf(session))
      prompt = split.prompt
      const placeOf = placesIn(came)
      await reconcile(session, split.said, {
        ...(describe && {
          describe: (message, index) => describe(message, placeOf(index + split.prompt.length)),
        }),
      })
    },
    add: (pairs) => {
      came = came.concat(pairs)
    },
    rendered(session) {
      const said = session.messages()
      const blocks = blocksOf(session)
      const isAsBefore =
        from?.came === came &&
        from.prompt === prompt &&
        from.blocks === blocks &&
        isEach(from.said, said)
      if (written && isAsBefore) return written.pairs
      const after = prompt.length === 0 ? said : [...prompt, ...said]
      const messages = came.some(holdsSystem)
        ? withStanding(messagesIn(came), after, blocks)
        : after
      written = writeLike(wire, messages, came, written)
      came = written.came
      from = { came, prompt, blocks, said }
      return written.pairs
    },
    system: (system) => promptText(system, prompt),
    came: () => came,
  }
}

function holdsSystem({ messages }: Pair<unknown>): boolean {
  return messages.some(({ role }) => role === 'system')
}

interface WrittenFrom<Native> {
  came: readonly Pair<Native>[]
  prompt: readonly Message[]
  blocks: readonly Message[]
  said: readonly Message[]
}

/** How many natives stand before those that a message was read from; asked for in order. */
function placesIn<Native>(pairs: readonly Pair<Native>[]): (index: number) => number {
  let [pair, place, before] = [0, 0, 0]
  return (index) => {
    for (; pair < pairs.length; pair++) {
      const { natives, messages } = pairs[pair] as Pair<Native>
      if (index < before + messages.length) return place
      place += natives.length
      before += messages.length
    }
    return place
  }
}
