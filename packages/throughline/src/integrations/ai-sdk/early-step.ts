import type { AiSdkStepOptions } from './step-options.ts'
import type { LanguageModelCallEndEvent, TextStreamPart, ToolSet, ContentPart } from 'ai'
import { finishOf, usageOf } from './usage.ts'
import { modelId, providerOptions } from './provider-options.ts'
import { resultPart } from './tool-schemas.ts'
import type { AssistantMessage, ToolResultPart, AssistantPart } from '../../log/message.ts'
import type { StepOptions } from '../../session/loop/loop.ts'
import type { StepResult } from '../../session/loop/step-record.ts'
import { isNotice } from './peer-version-error.ts'

type Result = Extract<TextStreamPart<ToolSet>, { type: 'tool-result' | 'tool-error' }>

/** Saves parts of a step before it ends. */
export interface EarlyStep {
  /** The model has answered; the SDK runs no tool before this is done. */
  answered: (event: LanguageModelCallEndEvent<ToolSet>) => Promise<void>
  /** Saves results as they arrive, in the order of their calls. */
  take: (part: TextStreamPart<ToolSet>) => Promise<void>
  /** Which of these messages were not saved. */
  rest: (messages: StepResult['messages']) => StepResult['messages']
  /** Aborted if the answer couldn't be saved: then no tool may run. */
  failed: AbortSignal
  /** Nothing more is saved. */
  end: () => void
}

/**
 * Saves a step's answer before its tools run, and each result before the next. If a call may need
 * approval, everything waits for the end, because only then is it known what was asked.
 */
export function earlyStep(
  { model, tools, toolApproval }: AiSdkStepOptions,
  keep: StepOptions['keep'],
): EarlyStep {
  const failure = new AbortController()
  const arrived = new Map<string, Result>()
  const kept = new Set<string>()
  let waiting: string[] | undefined
  let ended = keep === undefined || toolApproval !== undefined

  return {
    failed: failure.signal,
    end: () => {
      ended = true
    },
    async answered({ content, finishReason, usage }) {
      const message = answerMessage(content)
      const calls = message ? callsOf(message) : []
      if (ended || !message || calls.length === 0) return
      if (calls.some(({ toolName }) => mayAsk(tools, toolName))) return
      waiting = calls.map(({ toolCallId }) => toolCallId)
      const used = usageOf(usage)
      try {
        await keep?.({
          messages: [message],
          finish: finishOf(finishReason),
          ...(used && { usage: used }),
          model: modelId(model),
        })
      } catch (error) {
        failure.abort(error)
        // The SDK continues with the tools, whatever is thrown here.
        await new Promise(() => {})
      }
    },
    async take(part) {
      if (part.type !== 'tool-error' && (part.type !== 'tool-result' || part.preliminary)) return
      arrived.set(part.toolCallId, part)
      const content: ToolResultPart[] = []
      for (;;) {
        const result = arrived.get(waiting?.[0] ?? '')
        if (!result) break
        waiting?.shift()
        kept.add(result.toolCallId)
        content.push(await resultPart(result, tools))
      }
      if (content.length === 0) return
      await keep?.({ messages: [{ role: 'tool', content }], finish: 'tool-calls' })
    },
    rest(messages) {
      if (!waiting) return messages
      return messages.flatMap((message) => {
        if (message.role === 'assistant') return []
        const content = message.content.filter(
          (part) => part.type !== 'tool-result' || !kept.has(part.toolCallId),
        )
        return content.length > 0 ? [{ ...message, content }] : []
      })
    },
  }
}

function callsOf({ content }: AssistantMessage): { toolCallId: string; toolName: string }[] {
  return typeof content === 'string' ? [] : content.filter((part) => part.type === 'tool-call')
}

function mayAsk(tools: ToolSet | undefined, name: string): boolean {
  const tool = tools && Object.hasOwn(tools, name) ? tools[name] : undefined
  return tool !== undefined && tool.needsApproval !== undefined && tool.needsApproval !== false
}

/**
 * A model's answer as the message that the SDK makes of it after its tools have run; `undefined` if
 * that isn't known earlier: with files, and with tools that the provider runs or asks about itself.
 */
function answerMessage(content: readonly ContentPart<ToolSet>[]): AssistantMessage | undefined {
  const parts: AssistantPart[] = []
  for (const part of content) {
    if (part.type === 'source' || isEmpty(part) || isNotice(part)) continue
    const made = messagePart(part)
    if (!made) return undefined
    parts.push(made)
  }
  return { role: 'assistant', content: parts }
}

function isEmpty(part: ContentPart<ToolSet>): boolean {
  return part.type === 'text' && part.text === '' && part.providerMetadata === undefined
}

function messagePart(part: ContentPart<ToolSet>): AssistantPart | undefined {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return { type: part.type, text: part.text, ...providerOptions(part.providerMetadata) }
    case 'tool-call': {
      if (part.providerExecuted) return undefined
      const { toolCallId, toolName, providerMetadata } = part
      const input = part.invalid && typeof part.input !== 'object' ? {} : part.input
      return {
        type: 'tool-call',
        toolCallId,
        toolName,
        input,
        ...providerOptions(providerMetadata),
      }
    }
    default:
      return undefined
  }
}
