import { fieldsOf, textOf } from '../../json/fields.ts'
import { outputText, type ToolCallPart } from '../../log/message.ts'
import type { StepUnit, Unit } from '../../log/steps.ts'

/**
 * What the tool answers to the two marks. A mark counts only with its answer: words of a model that
 * look like one are nothing.
 */
export const markAnswers = {
  open: 'The sub-task is open.',
  close: 'Requested: after this step',
  /** Where a client folds nothing by itself. */
  noted: 'Noted for the next compaction',
} as const

/** A piece of work between two marks of the agent. */
export interface SubTask {
  task: string
  /** The index of the unit that opened it. */
  opened: number
}

/** A sub-task with what the agent learned, and the unit that closed it. */
export interface ClosedSubTask extends SubTask {
  learned: string
  closed: number
}

/** The innermost sub-task that is open before the unit `end`. */
export function openSubTask(
  units: readonly Unit[],
  tool: string,
  end: number = units.length,
): SubTask | undefined {
  let closed = 0
  for (let index = end - 1; index >= 0; index--) {
    const unit = units[index] as Unit
    if (unit.type !== 'step') continue
    for (const { open } of marksIn(unit, tool).toReversed()) {
      if (open === undefined) closed += 1
      else if (closed > 0) closed -= 1
      else return { task: open, opened: index }
    }
  }
  return undefined
}

/** The sub-task that the newest step has closed. */
export function closedSubTask(units: readonly Unit[], tool: string): ClosedSubTask | undefined {
  const closed = units.findLastIndex(({ type }) => type === 'step')
  const step = units[closed]
  if (step?.type !== 'step' || step.status !== 'closed') return undefined
  const learned = marksIn(step, tool).findLast((mark) => mark.close !== undefined)?.close
  if (learned === undefined) return undefined
  const open = openSubTask(units, tool, closed)
  return open && { ...open, learned, closed }
}

type Mark = { open: string; close?: undefined } | { open?: undefined; close: string }

function marksIn({ calls, results }: StepUnit, tool: string): Mark[] {
  return calls.flatMap((call): Mark[] => {
    if (!isCallOf(call, tool)) return []
    const result = results.find(({ toolCallId }) => toolCallId === call.toolCallId)
    const answer = result ? outputText(result.output) : ''
    const { open, close } = markOf(call.input)
    const isClosed = answer.includes(markAnswers.close) || answer.includes(markAnswers.noted)
    if (close !== undefined && isClosed) return [{ close }]
    return open !== undefined && answer.includes(markAnswers.open) ? [{ open }] : []
  })
}

/** What a call of the tool says; an empty text is none. */
export function markOf(input: unknown): { open?: string; close?: string } {
  const fields = fieldsOf(input)
  const [open, close] = [textOf(fields?.['open'])?.trim(), textOf(fields?.['close'])?.trim()]
  return { ...(open && { open }), ...(close && { close }) }
}

/** Some hosts put the name of a server before the name of a tool. */
function isCallOf({ toolName }: ToolCallPart, tool: string): boolean {
  return (
    toolName === tool ||
    (toolName.endsWith(tool) && /\W|_/.test(toolName.at(-tool.length - 1) ?? ''))
  )
}
