import { fieldsOf, nameOf } from '../../json/fields.ts'
import { openConversationOf, type Conversation, type ConversationOf } from './conversation.ts'
import { sameBeginning } from '../../match/prefix.ts'
import type { Session } from '../../session/session.ts'
import type { SessionOptions } from '../../session/options.ts'

/** What a framework sends with a request besides its messages. */
interface Frame {
  system?: string | undefined
  tools?: readonly unknown[]
}

/** A conversation of a framework, which tells its system prompt and its tools with each request. */
export interface LazyConversation<Native, Response> {
  /** Opens it when it is first needed, and again if the store has failed. */
  open: () => Promise<Conversation<Native, Response>>
  /** What the next requests have besides messages; the same tools are measured once. */
  tell: (frame: Frame) => void
  /** Asks with what fits, and again with less where the provider says that it is too long. */
  ask: <Given>(
    natives: readonly Native[],
    request: (sent: Native[]) => Promise<Given>,
    signals?: { signal?: AbortSignal },
  ) => Promise<{ given: Given; conversation: Conversation<Native, Response> }>
  session: () => Promise<Session>
}

/** `opened` is called with the conversation before anybody else has it. */
export function lazyConversation<Native extends object, Response>(
  of: ConversationOf<Native, Response>,
  options: SessionOptions,
  opened: (conversation: Conversation<Native, Response>) => void = () => {},
): LazyConversation<Native, Response> {
  let frame: Frame & { tools: readonly unknown[] } = { tools: [] }
  let opening: Promise<Conversation<Native, Response>> | undefined
  const framed = {
    ...options,
    get system() {
      return options.system ?? frame.system
    },
    get tools() {
      return options.tools ?? frame.tools
    },
  } as SessionOptions

  async function openNow(): Promise<Conversation<Native, Response>> {
    const conversation = await openConversationOf(of, framed)
    opened(conversation)
    return conversation
  }

  function open(): Promise<Conversation<Native, Response>> {
    opening ??= openNow().catch((error: unknown) => {
      opening = undefined
      throw error
    })
    return opening
  }

  return {
    open,
    tell(told) {
      const tools = told.tools && !areSame(told.tools, frame.tools) ? told.tools : frame.tools
      frame = { ...frame, ...told, tools }
    },
    async ask(natives, request, signals = {}) {
      const conversation = await open()
      let sent = await conversation.fit(natives, signals)
      for (;;) {
        try {
          return { given: await request(sent), conversation }
        } catch (error) {
          const again = await conversation.recover(error, signals)
          if (!again) throw error
          sent = again
        }
      }
    },
    session: async () => (await open()).session,
  }
}

function areSame(tools: readonly unknown[], before: readonly unknown[]): boolean {
  const same = sameBeginning(tools, before, (tool, other) => {
    const name = nameOf(fieldsOf(tool)?.['name'])
    return tool === other || (name !== undefined && name === fieldsOf(other)?.['name'])
  })
  return same === tools.length && same === before.length
}
