import { fieldsOf, type Fields } from '../../../json/fields.ts'
import { finishOf, usageOf, openaiChatWire } from '../../../wires/openai-chat/wire.ts'
import { openConversationOf } from '../../conversation/conversation.ts'
import { remembering, type RememberingWire } from '../../../wires/remembering/remembering.ts'
import type { Answer, Conversation } from '../../conversation/conversation.ts'
import type { ChatMessage } from '../../../wires/openai-chat/message.ts'
import type { SessionOptions } from '../../../session/options.ts'

/** Chat Completions, with what has been read and written in this process remembered. */
export const rememberedChat: RememberingWire<ChatMessage> = remembering(openaiChatWire)

/** An answer of Chat Completions, as far as Throughline reads it: `ChatCompletion`. */
export interface ChatResponse {
  choices: readonly { message: object; finish_reason: string | null }[]
  model: string
  usage?: object | null
}

/**
 * A conversation over the `openai` package's Chat Completions whose whole log is stored in a
 * session: you can send the same array again and again, and it always fits. You make the requests
 * yourself.
 * @example
 * const chat = await openChat<ChatCompletionMessageParam>({ store, id: 'a', window, tools })
 * const { response, messages: all } = await chat.send(messages, (messages) =>
 *   client.chat.completions.create({ model, tools, messages }),
 * )
 */
export async function openChat<M extends ChatMessage = ChatMessage>(
  options: SessionOptions,
): Promise<Conversation<M, ChatResponse>> {
  const conversation = await openConversationOf({ wire: rememberedChat, answer: answerOf }, options)
  // The new messages are plain text, in shapes that every message type has.
  return conversation as unknown as Conversation<M, ChatResponse>
}

function answerOf({ choices, model, usage }: ChatResponse): Answer<ChatMessage> {
  const [choice] = choices
  const counted = usageOf(usage)
  return {
    natives: choice ? [asParam(fieldsOf(choice.message) ?? {})] : [],
    finish: finishOf(choice?.finish_reason) ?? 'other',
    model,
    ...(counted && { usage: counted }),
  }
}

/** Turns an answer's message into a message for a request: audio is referred to by its id. */
function asParam({ audio, ...message }: Fields): ChatMessage {
  const id = fieldsOf(audio)?.['id']
  const said = { ...message, ...(id !== undefined && { audio: { id } }) }
  return said as unknown as ChatMessage
}
