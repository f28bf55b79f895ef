import { checkMessage } from '../../log/check-message.ts'
import { openConversationOf, type Answer, type Conversation } from './conversation.ts'
import { oneByOne, wireOf } from '../../wires/wire.ts'
import { remembering } from '../../wires/remembering/remembering.ts'
import type { FinishReason, Usage } from '../../log/entry.ts'
import type { Message } from '../../log/message.ts'
import type { SessionOptions } from '../../session/options.ts'

/** What a model said: its message, with the results of calls that its provider ran. */
export interface GivenAnswer {
  messages: readonly Message[]
  /** Default: `tool-calls` behind a call, else `stop`. */
  finish?: FinishReason
  /** As the provider counted it; without it, sizes are estimates. */
  usage?: Usage
  model?: string
}

/**
 * A conversation for any host, in messages of the AI SDK's shape: the host hands over what it has,
 * its full history or what it got last time, and gets what to send. The whole log is stored in a
 * session. Take this one if the loop is yours and you pass whole arrays; take `contextEngine`
 * (`throughline/hosts`) if a host keeps the loop and asks for each request. For messages of other APIs,
 * see `throughline/anthropic` and `throughline/openai`.
 * @throws InvalidWindowError, PluginError
 * @example
 * const conversation = await openConversation({ store, id: 'a', window: { context: 200_000 } })
 * const { messages } = await conversation.send(history, (messages) => ask(messages))
 */
export function openConversation<M extends Message = Message>(
  options: SessionOptions,
): Promise<Conversation<M, GivenAnswer>> {
  const conversation = openConversationOf({ wire: rememberedMessages, answer: answerOf }, options)
  // The new messages are plain text, in shapes that every message type has.
  return conversation as unknown as Promise<Conversation<M, GivenAnswer>>
}

function answerOf({ messages, finish, usage, model }: GivenAnswer): Answer<Message> {
  return {
    natives: messages,
    finish: finish ?? (endsWithCall(messages) ? 'tool-calls' : 'stop'),
    ...(usage && { usage }),
    ...(model !== undefined && { model }),
  }
}

function endsWithCall(messages: readonly Message[]): boolean {
  const content = messages.at(-1)?.content
  return Array.isArray(content) && content.some(({ type }) => type === 'tool-call')
}

/** Our own messages are what they say. */
const rememberedMessages = remembering<Message>(
  wireOf({
    reader: (_, before) =>
      oneByOne('messages', before, (message, place) => {
        checkMessage(message, place)
        return [message]
      }),
    write: (messages) => messages.map((message) => ({ natives: [message], messages: [message] })),
  }),
)
