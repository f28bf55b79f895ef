import { langchainWire } from '../../wires/langchain/wire.ts'
import { messagesIn, nativesIn } from '../../wires/wire.ts'
import type { BaseMessage } from '@langchain/core/messages'
import type { Message } from '../../log/message.ts'

/**
 * LangChain's messages as messages of a session, with nothing lost: `toLangChainMessages` gives
 * them back.
 * @throws MessageConversionError if they hold what JSON cannot say (an artifact of a class, say).
 * @example
 * fromLangChainMessages([new HumanMessage('hi')]) // [{ role: 'user', content: 'hi' }]
 */
export function fromLangChainMessages(messages: readonly BaseMessage[]): Message[] {
  return messagesIn(langchainWire.read(messages))
}

/**
 * Messages of a session as LangChain's.
 * @throws MessageConversionError if LangChain has no word for a part, and where.
 * @example
 * toLangChainMessages(session.messages())
 */
export function toLangChainMessages(messages: readonly Message[]): BaseMessage[] {
  return nativesIn(langchainWire.write(messages))
}
