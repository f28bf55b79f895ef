import { fieldsOf, textOf, type Fields } from '../../json/fields.ts'
import { plainOutput } from './whole-part.ts'

/** The call that a tool's part of the user interface shows; none while it still streams. */
export function toolCallParts(part: Fields): Fields[] {
  const { toolCallId, state, input, rawInput, providerExecuted } = part
  const toolName = toolNameOf(part)
  if (toolName === undefined || state === 'input-streaming') return []
  const about = { toolCallId, toolName, ...optionsIn(part) }
  const call = { ...about, type: 'tool-call', input: input ?? rawInput, providerExecuted }
  const approval = fieldsOf(part['approval'])
  const request = approval && requestPart(approval, toolCallId)
  const own = providerExecuted === true ? outputOf(part) : undefined
  const result = own && { ...about, type: 'tool-result', output: own }
  return [call, request, result].filter((made) => made !== undefined)
}

function requestPart(approval: Fields, toolCallId: unknown): Fields {
  const { id: approvalId, isAutomatic, signature, requestReason: reason } = approval
  const asked = { type: 'tool-approval-request', approvalId, toolCallId }
  return { ...asked, isAutomatic, signature, reason }
}

/** The content of the tool message after the step: the human's approval, and the result. */
export function toolResultParts(part: Fields): Fields[] {
  const toolName = toolNameOf(part)
  if (toolName === undefined) return []
  const { toolCallId, providerExecuted } = part
  const approval = fieldsOf(part['approval'])
  const { id: approvalId, approved, reason } = approval ?? {}
  const answer = typeof approved === 'boolean' && {
    type: 'tool-approval-response',
    approvalId,
    approved,
    reason,
    providerExecuted,
  }
  const output = providerExecuted === true ? undefined : outputOf(part)
  const about = { type: 'tool-result', toolCallId, toolName, ...optionsIn(part) }
  const result = output && { ...about, output }
  return [answer, result].filter((made) => typeof made === 'object')
}

function optionsIn(part: Fields): Fields {
  const options = fieldsOf(part['callProviderMetadata'])
  return options ? { providerOptions: options } : {}
}

function toolNameOf({ type, toolName }: Fields): string | undefined {
  if (type === 'dynamic-tool') return textOf(toolName)
  return typeof type === 'string' && type.startsWith('tool-') ? type.slice(5) : undefined
}

const denied = 'Tool call execution denied.'

function outputOf(part: Fields): Fields | undefined {
  const approval = fieldsOf(part['approval'])
  switch (part['state']) {
    case 'output-available':
      return { ...plainOutput(part['output'], false) }
    case 'output-error':
      return { type: 'error-text', value: part['errorText'] }
    case 'output-denied':
      return { type: 'execution-denied', reason: approval?.['reason'] ?? denied }
    case 'approval-responded':
      return approval?.['approved'] === false
        ? { type: 'execution-denied', reason: approval['reason'] }
        : undefined
    default:
      return undefined
  }
}
