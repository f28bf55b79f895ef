import { partsOf, type Message } from '../../../log/message.ts'
import type { ToolSet } from 'ai'
import type { LiveRequest } from '../../../compaction/summary/with-model/summarizer.ts'
import type { GenerateTextOptions, Sent, SummarySettings } from './summary-model.ts'

/** AI SDK 6 does not have all of them. */
type PrefixSetting = Extract<
  keyof GenerateTextOptions,
  'tools' | 'toolChoice' | 'activeTools' | 'toolOrder' | 'providerOptions' | 'headers' | 'reasoning'
>

/** The settings of the session's own requests that determine what its provider has cached. */
export interface LivePrefix extends Pick<GenerateTextOptions, PrefixSetting> {
  /** How its requests are sent; streamed by default, as in `aiSdkStep`. */
  sent?: Sent
}

/**
 * The same settings for a request that must run nothing: the provider sees the same tools, but here
 * they do nothing.
 */
export function withoutExecution(prefix: LivePrefix): SummarySettings {
  const { tools, sent: _, ...settings } = prefix
  return { ...settings, ...(tools && { tools: inert(tools) }) }
}

function inert(tools: ToolSet): ToolSet {
  return Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, withoutRun(tool)]))
}

function withoutRun(tool: ToolSet[string]): ToolSet[string] {
  const { execute: _, ...told } = tool
  return told as ToolSet[string]
}

/** Whether the model may answer with text at all. */
export function answersInWords({ toolChoice = 'auto' }: LivePrefix): boolean {
  return toolChoice === 'auto' || toolChoice === 'none'
}

/** Whether a question can follow a conversation: no call is waiting in it, and it is all text. */
export function takesQuestion({ messages }: Pick<LiveRequest, 'messages'>): boolean {
  const open = new Set<string>()
  for (const message of messages) {
    for (const part of partsOf(message)) {
      if (part.type === 'tool-call' && !part.providerExecuted) open.add(part.toolCallId)
      if (part.type === 'tool-result') open.delete(part.toolCallId)
    }
  }
  return messages.length > 0 && open.size === 0 && !messages.some(holdsMedia)
}

function holdsMedia(message: Message): boolean {
  return partsOf(message).some((part) => {
    if (part.type === 'tool-result' && part.output.type === 'content') {
      return part.output.value.some(({ type }) => type !== 'text')
    }
    return part.type === 'image' || part.type === 'file' || part.type === 'reasoning-file'
  })
}
