import { abortedResult } from '../../compaction/render/render.ts'
import { partsOf, type ToolResultPart } from '../../log/message.ts'
import type { WrittenMessage } from './format-writer.ts'

/**
 * The messages with the results of each step in one message behind it, in the order of its calls.
 * The calls of the last step get theirs too: whoever resumes a file starts anew, and nobody
 * answers them any more.
 */
export function withEveryResult(messages: readonly WrittenMessage[]): WrittenMessage[] {
  const whole: WrittenMessage[] = []
  let step: WrittenMessage | undefined
  let given: WrittenMessage[] = []
  const close = (): void => {
    whole.push(...resultsOf(step, given))
    given = []
  }
  for (const written of messages) {
    if (written.message.role === 'tool') {
      given.push(written)
      continue
    }
    close()
    whole.push(written)
    step = written
  }
  close()
  return whole
}

function resultsOf(
  step: WrittenMessage | undefined,
  given: readonly WrittenMessage[],
): WrittenMessage[] {
  const results = new Map<string, ToolResultPart>()
  for (const part of step ? partsOf(step.message) : []) {
    if (part.type !== 'tool-call') continue
    const { toolCallId, toolName } = part
    const output = { type: 'error-text' as const, value: abortedResult }
    results.set(toolCallId, { type: 'tool-result', toolCallId, toolName, output })
  }
  for (const part of given.flatMap(({ message }) => partsOf(message))) {
    if (part.type === 'tool-result') results.set(part.toolCallId, part)
  }
  if (results.size === 0) return []
  const { origin, at } = given.at(-1) ?? { origin: 'synthetic', at: step?.at ?? 0 }
  return [{ message: { role: 'tool', content: [...results.values()] }, origin, at }]
}
