import { langchainWire } from '../../wires/langchain/wire.ts'
import { messagesIn, nativesIn } from '../../wires/wire.ts'
import type { BaseMessage } from '@langchain/core/messages'
import type { Message } from '../../log/message.ts'

/**
 * Converts LangChain's messages to messages of a session without loss: `toLangChainMessages`
 * converts them back.
 * @throws MessageConversionError if they contain something that JSON can't represent (such as an
 * artifact that is a class instance).
 * @example
 * fromLangChainMessages([new HumanMessage('hi')]) // [{ role: 'user', content: 'hi' }]
 */
export function fromLangChainMessages(messages: readonly BaseMessage[]): Message[] {
  return messagesIn(langchainWire.read(messages))
}

/**
 * Converts messages of a session to LangChain's.
 * @throws MessageConversionError if LangChain has no counterpart for a part; it says where.
 * @example
 * toLangChainMessages(session.messages())
 */
export function toLangChainMessages(messages: readonly Message[]): BaseMessage[] {
  return nativesIn(langchainWire.write(messages))
}
