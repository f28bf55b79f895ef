import { drawsOf, identifierOf, pathOf, textOf, type Draw } from './text.ts'
import type { AssistantMessage, EntryDraft, ToolMessage } from 'throughline'

export const stepsOfTurn = 50
/** How many files the agent works on. */
export const files = 3_000

/** The human's request at the beginning of a turn. */
export function requestOf(turn: number): string {
  const draw = drawsOf(turn * 2 + 1)
  return `Please rework ${pathOf(turn % files)}: ${textOf(draw, 150 + draw() * 300)}`
}

/** A step of a coding agent: a call and its result, of about 1,500 characters each. */
export function stepOf(step: number): [AssistantMessage, ToolMessage] {
  const draw = drawsOf(step * 2)
  const path = pathOf(Math.floor(draw() * files))
  const toolCallId = `call_${step}`
  const { toolName, input, output } = callOf(draw, step, path)
  const text = { type: 'text', text: textOf(draw, 200 + draw() * 400) } as const
  const value = { type: 'text', value: output } as const
  return [
    {
      role: 'assistant',
      content: [text, { type: 'tool-call', toolCallId, toolName, input }],
    },
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId, toolName, output: value }],
    },
  ]
}

function callOf(
  draw: Draw,
  step: number,
  file_path: string,
): { toolName: string; input: object; output: string } {
  const named = `${identifierOf(step)} `
  // Long outputs are rare, and hold most of the text.
  const long = 400 + 1_200 * -Math.log(1 - draw())
  if (step % 3 === 0) {
    return { toolName: 'Read', input: { file_path }, output: named + textOf(draw, long * 1.4) }
  }
  if (step % 3 === 1) {
    const [old_string, new_string] = [textOf(draw, 700), textOf(draw, 900)]
    const input = { file_path, old_string, new_string }
    return { toolName: 'Edit', input, output: `${file_path} was changed: ${textOf(draw, 800)}` }
  }
  const command = `npx vitest run ${file_path} -t ${identifierOf(step)}`
  return { toolName: 'Bash', input: { command }, output: named + textOf(draw, long) }
}

/** The entries of an endless session, each made on demand. */
export function* agentEntries(): Generator<EntryDraft> {
  for (let step = 0; ; step++) {
    if (step % stepsOfTurn === 0) {
      const content = requestOf(step / stepsOfTurn)
      yield { kind: 'message', at: step, origin: 'human', message: { role: 'user', content } }
    }
    const [message, results] = stepOf(step)
    yield { kind: 'message', at: step, origin: 'model', finish: 'tool-calls', message }
    yield { kind: 'message', at: step, origin: 'tool', message: results }
  }
}
