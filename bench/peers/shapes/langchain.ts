import {
  AIMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
  type BaseMessage,
} from '@langchain/core/messages'
import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { callsIn, resultsIn, textIn, type Call } from './neutral.ts'
import type { ChatResult } from '@langchain/core/outputs'
import type { Message } from 'throughline'
import type { Model } from '../adapter.ts'

/** The messages as LangChain has them; it has no place for reasoning. */
export function toLangChain(messages: readonly Message[]): BaseMessage[] {
  return messages.flatMap((message): BaseMessage[] => {
    const text = textIn(message)
    if (message.role === 'system') return [new SystemMessage(text)]
    if (message.role === 'user') return [new HumanMessage(text)]
    if (message.role === 'assistant') {
      const tool_calls = callsIn(message).map(({ id, name, input }) => ({ id, name, args: input }))
      return [new AIMessage({ content: text, tool_calls })]
    }
    return resultsIn(message).map(
      ({ id, name, text }) => new ToolMessage({ content: text, tool_call_id: id, name }),
    )
  })
}

export function fromLangChain(messages: readonly BaseMessage[]): Message[] {
  return messages.map((message): Message => {
    const text = message.text
    if (ToolMessage.isInstance(message)) {
      const output = { type: 'text' as const, value: text }
      const { tool_call_id: toolCallId, name: toolName = '' } = message
      return { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] }
    }
    if (!AIMessage.isInstance(message)) {
      return { role: SystemMessage.isInstance(message) ? 'system' : 'user', content: text }
    }
    const calls = (message.tool_calls ?? []).map(({ id = '', name, args }): Call => {
      return { id, name, input: args }
    })
    return {
      role: 'assistant',
      content: [
        ...(text === '' ? [] : [{ type: 'text' as const, text }]),
        ...calls.map(({ id, name, input }) => {
          return { type: 'tool-call' as const, toolCallId: id, toolName: name, input }
        }),
      ],
    }
  })
}

const known = new WeakMap<BaseMessage, number>()

/** Tokens as the bench weighs, so that the budget means the same for every peer. */
export function countTokens(messages: readonly BaseMessage[]): number {
  return Math.ceil(messages.reduce((sum, message) => sum + bytesOf(message), 0) / 4)
}

function bytesOf(message: BaseMessage): number {
  const before = known.get(message)
  if (before !== undefined) return before
  const calls = AIMessage.isInstance(message) ? (message.tool_calls ?? []) : []
  const inputs = calls.map(({ args }) => JSON.stringify(args)).join('')
  const bytes = Buffer.byteLength(message.text) + Buffer.byteLength(inputs)
  known.set(message, bytes)
  return bytes
}

/** The stand-in as a LangChain chat model. */
export class StandInChatModel extends BaseChatModel {
  readonly model: Model
  readonly most: number

  readonly window: number

  /** By default its window is never the reason to summarize: the caller says when. */
  constructor(model: Model, most: number, window = 1_000_000) {
    super({})
    this.model = model
    this.most = most
    this.window = window
  }

  override get profile(): { maxInputTokens: number } {
    return { maxInputTokens: this.window }
  }

  override _llmType(): string {
    return 'stand-in'
  }

  override async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const prompt = messages.map(({ text }) => text).join('\n')
    const text = this.model.answer({ prompt, most: this.most })
    return { generations: [{ text, message: new AIMessage(text) }] }
  }
}
