import { outputText } from '../../../log/message.ts'
import type { ProviderMetadata, ToolApprovalRequest as SdkApprovalRequest, UIMessage } from 'ai'
import type {
  ToolApprovalRequest,
  ToolApprovalResponse,
  ToolCallPart,
  ToolResultPart,
} from '../../../log/message.ts'

type UiPart = UIMessage['parts'][number]

/** A call and its outcome. */
export interface CallStory {
  call: ToolCallPart
  request?: ToolApprovalRequest
  response?: ToolApprovalResponse
  result?: ToolResultPart
}

/**
 * A call as a user interface shows it: requested, approved, denied, running, or with its result.
 */
export function toolPart({ call, request, response, result }: CallStory): UiPart {
  const { toolCallId, toolName, input, providerExecuted, providerOptions } = call
  const shown = {
    type: `tool-${toolName}` as const,
    toolCallId,
    input,
    ...(providerExecuted !== undefined && { providerExecuted }),
    ...(providerOptions && { callProviderMetadata: providerOptions as ProviderMetadata }),
  }
  const asked = request && askedOf(request)
  if (!result) {
    if (!asked) return { ...shown, state: 'input-available' }
    if (!response) return { ...shown, state: 'approval-requested', approval: asked }
    return { ...shown, state: 'approval-responded', approval: { ...asked, ...answer(response) } }
  }
  const { output } = result
  const denied = output.type === 'execution-denied'
  if (denied && asked && response) {
    const approval = { ...asked, ...answer(response), approved: false as const }
    return { ...shown, state: 'output-denied', approval }
  }
  const approval =
    asked && response?.approved
      ? { approval: { ...asked, ...answer(response), approved: true as const } }
      : {}
  return denied || output.type === 'error-text' || output.type === 'error-json'
    ? { ...shown, ...approval, state: 'output-error', errorText: outputText(output) }
    : { ...shown, ...approval, state: 'output-available', output: output.value }
}

function answer({ approved, reason }: ToolApprovalResponse): {
  approved: boolean
  reason?: string
} {
  return { approved, ...(reason !== undefined && { reason }) }
}

/** The question, with everything that the SDK expects back with the answer, such as a signature. */
function askedOf(request: SdkApprovalRequest): Omit<SdkApprovalRequest, Request> & {
  id: string
  requestReason?: string
} {
  const { type: _, toolCallId: __, approvalId: id, reason, ...others } = request
  return { ...others, id, ...(reason !== undefined && { requestReason: reason }) }
}

type Request = 'type' | 'toolCallId' | 'approvalId' | 'reason'
