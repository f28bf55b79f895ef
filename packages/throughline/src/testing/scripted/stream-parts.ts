import type { ScriptedAnswer, ScriptedCall } from './scripted-answer.ts'
import type { ProviderStreamPart, ProviderUsage } from './model-types.ts'

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
