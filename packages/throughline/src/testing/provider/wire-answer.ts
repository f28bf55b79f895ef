import { bytesOverFour } from '../prompt-tokens.ts'
import type { ScriptedAnswer } from '../scripted/scripted-answer.ts'
import type { WireAnswer } from './wire.ts'

/** A scripted answer with nothing left open; `input` is what its request counts, in tokens. */
export function wireAnswer(
  answer: ScriptedAnswer,
  { id, input, model, seal }: { id: string; input: number; model: string; seal: string },
): WireAnswer {
  const { text = '', reasoning = '', chunk = 16, usage, finish } = answer
  const calls = (answer.calls ?? []).map((call, index) => ({
    id: call.id ?? `call_${id}_${index + 1}`,
    name: call.name,
    input: call.input ?? {},
  }))
  const output = bytesOverFour(text + JSON.stringify(calls))
  return {
    id,
    model,
    chunks: cut(text, chunk),
    reasoning,
    seal,
    calls,
    finish: finish ?? (calls.length > 0 ? 'tool-calls' : 'stop'),
    usage: usage === 'none' ? undefined : { input, output, cacheRead: 0, ...usage },
  }
}

function cut(text: string, size: number): string[] {
  const chunks: string[] = []
  for (let start = 0; start < text.length; start += size) {
    chunks.push(text.slice(start, start + size))
  }
  return chunks
}
