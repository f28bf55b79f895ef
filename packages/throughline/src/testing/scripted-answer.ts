import type { ProviderFinish, ProviderStreamPart, ProviderUsage } from './model-types.ts'

/** What a scripted model says to one request. */
export interface ScriptedAnswer {
  text?: string
  reasoning?: string
  calls?: readonly ScriptedCall[]
  /** As the provider counts; by default the prompt's own size, `none` for no usage at all. */
  usage?: { input?: number; output?: number; cacheRead?: number } | 'none'
  /** By default `tool-calls` where there are calls, else `stop`. */
  finish?: ProviderFinish
  /** The request is refused with this error. */
  error?: unknown
  /** The stream breaks with this error behind the text. */
  breaks?: unknown
  /** Milliseconds before the stream begins. */
  delay?: number
  /** Milliseconds before each chunk of text. */
  pace?: number
  /** Never answers, or stops answering behind the text, until the request is aborted. */
  hangs?: 'before' | 'after-text'
  /** Characters of text in one chunk; by default 16. */
  chunk?: number
}

export interface ScriptedCall {
  name: string
  input?: unknown
  /** By default `call-1`, `call-2`, … through the whole script. */
  id?: string
}

/** Makes ids that no other call of this model has. */
export type NextId = () => string

/** The parts of an answer in the order in which providers stream them. */
export function streamParts(
  answer: ScriptedAnswer,
  { usage, modelId, nextId }: { usage: ProviderUsage; modelId: string; nextId: NextId },
): { beforeBreak: ProviderStreamPart[]; rest: ProviderStreamPart[] } {
  const beforeBreak: ProviderStreamPart[] = [
    { type: 'stream-start', warnings: [] },
    { type: 'response-metadata', modelId },
    ...block('reasoning', answer.reasoning, answer.chunk),
    ...block('text', answer.text, answer.chunk),
  ]
  const calls = answer.calls ?? []
  const unified = answer.finish ?? (calls.length > 0 ? 'tool-calls' : 'stop')
  const rest: ProviderStreamPart[] = [
    ...calls.flatMap((call) => callParts(call, nextId)),
    { type: 'finish', usage, finishReason: { unified, raw: unified } },
  ]
  return { beforeBreak, rest }
}

function block(
  type: 'text' | 'reasoning',
  text: string | undefined,
  chunk = 16,
): ProviderStreamPart[] {
  if (text === undefined) return []
  const parts: ProviderStreamPart[] = [{ type: `${type}-start`, id: type }]
  for (let start = 0; start < text.length; start += chunk) {
    parts.push({ type: `${type}-delta`, id: type, delta: text.slice(start, start + chunk) })
  }
  return [...parts, { type: `${type}-end`, id: type }]
}

function callParts({ name, input = {}, id }: ScriptedCall, nextId: NextId): ProviderStreamPart[] {
  const toolCallId = id ?? nextId()
  const text = JSON.stringify(input)
  return [
    { type: 'tool-input-start', id: toolCallId, toolName: name },
    { type: 'tool-input-delta', id: toolCallId, delta: text },
    { type: 'tool-input-end', id: toolCallId },
    { type: 'tool-call', toolCallId, toolName: name, input: text },
  ]
}
