import {
  outputText,
  partsOf,
  type Part,
  type ToolApprovalRequest,
  type ToolApprovalResponse,
  type ToolCallPart,
  type ToolMessage,
  type ToolResultPart,
} from '../../../log/message.ts'
import type { EntryOf } from '../../../log/entry.ts'
import type {
  FileUIPart,
  ProviderMetadata,
  ToolApprovalRequest as SdkApprovalRequest,
  UIMessage,
} from 'ai'
import { MessageConversionError } from '../../../wires/errors.ts'
import { mediumOf } from '../../../match/message-keys.ts'

type UiPart = UIMessage['parts'][number]
type PlainPart = Exclude<Part, { type: `tool-${string}` }>

interface CallStory {
  call: ToolCallPart
  request?: ToolApprovalRequest
  response?: ToolApprovalResponse
  result?: ToolResultPart
}

/** The calls by their ids, and the call that each approval is about. */
interface Stories {
  calls: Map<string, CallStory>
  asked: Map<string, string>
}

/**
 * A session's history as messages of a user interface: the starting point for `useChat`, accepted
 * by `convertToModelMessages`. They contain nothing that the user never saw: no summary, no
 * `continue`. The ids are the same each time.
 * @throws MessageConversionError if a user interface can't show a file.
 * @example
 * const session = await compaction.session()
 * const messages = toUiMessages(await session.history())
 */
export function toUiMessages(history: readonly EntryOf<'message'>[]): UIMessage[] {
  const messages: { id: string; role: UIMessage['role']; parts: (() => UiPart)[] }[] = []
  const stories: Stories = { calls: new Map(), asked: new Map() }
  for (const { seq, message } of history) {
    if (message.role === 'tool') {
      tellOf(stories, message)
      continue
    }
    const last = messages.at(-1)
    const { role } = message
    const goesOn = role === 'assistant' && last?.role === 'assistant'
    const current = goesOn ? last : { id: `${seq}`, role, parts: [] }
    if (!goesOn) messages.push(current)
    if (role === 'assistant') current.parts.push(() => ({ type: 'step-start' }))
    for (const [index, part] of partsOf(message).entries()) {
      const shown = shownLater(part, stories, `[${seq}].content[${index}]`)
      if (shown) current.parts.push(shown)
    }
  }
  return messages.map(({ parts, ...message }) => ({
    ...message,
    parts: parts.map((part) => part()),
  }))
}

/** How a part appears once everything about it is known; nothing if another part shows it. */
function shownLater(part: Part, stories: Stories, place: string): (() => UiPart) | undefined {
  switch (part.type) {
    case 'tool-call': {
      const story: CallStory = { call: part }
      stories.calls.set(part.toolCallId, story)
      return () => toolPart(story)
    }
    case 'tool-result': {
      addTo(stories, part.toolCallId, { result: part })
      return undefined
    }
    case 'tool-approval-request': {
      stories.asked.set(part.approvalId, part.toolCallId)
      addTo(stories, part.toolCallId, { request: part })
      return undefined
    }
    case 'tool-approval-response':
      return undefined
    default: {
      const shown = { ...plainPart(part, place), ...metadataOf(part) }
      return () => shown
    }
  }
}

/**
 * A call as a user interface shows it: requested, approved, denied, running, or with its result.
 */
function toolPart({ call, request, response, result }: CallStory): UiPart {
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

function plainPart(part: PlainPart, place: string): UiPart {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return { type: part.type, text: part.text }
    case 'image':
      return filePart({ data: part.image, mediaType: part.mediaType ?? 'image' }, place)
    case 'file':
      return filePart(part, place)
    case 'reasoning-file': {
      const { url, mediaType } = filePart(part, place)
      return { type: 'reasoning-file', url, mediaType }
    }
    case 'custom':
      return { type: 'custom', kind: part.kind }
  }
}

function metadataOf({ providerOptions }: PlainPart): { providerMetadata?: ProviderMetadata } {
  return providerOptions ? { providerMetadata: providerOptions as ProviderMetadata } : {}
}

/** Answers to approvals, and results, wherever they are. */
function tellOf(stories: Stories, message: ToolMessage): void {
  for (const part of message.content) {
    if (part.type === 'tool-result') {
      addTo(stories, part.toolCallId, { result: part })
      continue
    }
    const story = stories.calls.get(stories.asked.get(part.approvalId) ?? '')
    if (story) story.response = part
  }
}

function addTo(stories: Stories, id: string, facts: Partial<CallStory>): void {
  const story = stories.calls.get(id)
  if (story) Object.assign(story, facts)
}

/**
 * A medium as a user interface shows it: by its address, as a data URL, or by a provider's
 * reference.
 */
function filePart(
  {
    data,
    mediaType,
    filename,
  }: { data: unknown; mediaType: string; filename?: string | undefined },
  place: string,
): FileUIPart {
  const named = { type: 'file' as const, mediaType, ...(filename !== undefined && { filename }) }
  const medium = mediumOf(data)
  if (typeof medium === 'string') return { ...named, url: urlOf(medium, mediaType) }
  if (isReference(medium)) return { ...named, url: '', providerReference: medium }
  throw new MessageConversionError({
    place,
    problem: 'a text file cannot be shown by a URL',
  })
}

function urlOf(medium: string, mediaType: string): string {
  return /^[a-z][a-z\d+.-]*:/i.test(medium) ? medium : `data:${mediaType};base64,${medium}`
}

function isReference(medium: unknown): medium is Record<string, string> {
  if (typeof medium !== 'object' || medium === null || 'type' in medium) return false
  return Object.values(medium).every((value) => typeof value === 'string')
}
