import { AIMessage, type BaseMessage } from '@langchain/core/messages'
import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import type { ChatResult } from '@langchain/core/outputs'

/** A LangChain model's answer to these messages, or its error. */
export type ChatScript = (messages: BaseMessage[], number: number) => AIMessage

/** A LangChain chat model that answers by a script and remembers its requests. */
export class ScriptedChatModel extends BaseChatModel {
  readonly model = 'scripted'
  readonly requests: BaseMessage[][] = []
  readonly #script: ChatScript

  constructor(script: ChatScript) {
    super({ maxRetries: 0 })
    this.#script = script
  }

  _llmType(): string {
    return 'scripted'
  }

  override bindTools(): this {
    return this
  }

  async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    this.requests.push([...messages])
    const message = this.#script(messages, this.requests.length)
    return { generations: [{ text: message.text, message }] }
  }
}

/** Calls of a tool, as an answer. */
export function calling(name: string, args: Record<string, unknown>, id: string): AIMessage {
  return new AIMessage({ content: '', tool_calls: [{ type: 'tool_call', id, name, args }] })
}
