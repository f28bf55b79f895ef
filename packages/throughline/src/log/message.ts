/**
 * A message in the shape of the AI SDK's `ModelMessage`, typed structurally so that no SDK is
 * needed. Parts of unknown types pass through unchanged.
 */
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage

/** Instructions among the messages. */
export interface SystemMessage {
  role: 'system'
  content: string
  providerOptions?: ProviderOptions
}

/** A user message: words of the human, or of the harness. */
export interface UserMessage {
  role: 'user'
  content: string | UserPart[]
  providerOptions?: ProviderOptions
}

/** What the model said: its text, its reasoning and its calls. */
export interface AssistantMessage {
  role: 'assistant'
  content: string | AssistantPart[]
  providerOptions?: ProviderOptions
}

/** The results of calls. */
export interface ToolMessage {
  role: 'tool'
  content: ToolPart[]
  providerOptions?: ProviderOptions
}

/** What providers need back with a part, by the provider's name. */
export type ProviderOptions = Record<string, Record<string, unknown>>
export type UserPart = TextPart | ImagePart | FilePart
export type AssistantPart =
  | TextPart
  | FilePart
  | ReasoningPart
  | ReasoningFilePart
  | CustomPart
  | ToolCallPart
  | ToolResultPart
  | ToolApprovalRequest
export type ToolPart = ToolResultPart | ToolApprovalResponse
/** A part of any message. */
export type Part = UserPart | AssistantPart | ToolPart

/** Text of the user or of the assistant. */
export interface TextPart {
  type: 'text'
  text: string
  providerOptions?: ProviderOptions
}

/** `image` is a base64 or data-URL string, bytes, a URL or a provider's reference. */
export interface ImagePart {
  type: 'image'
  image: unknown
  mediaType?: string
  providerOptions?: ProviderOptions
}

/** A file such as a PDF; `data` is as in an {@link ImagePart}. */
export interface FilePart {
  type: 'file'
  data: unknown
  mediaType: string
  filename?: string
  providerOptions?: ProviderOptions
}

/** Reasoning as text; signatures are in its provider options. */
export interface ReasoningPart {
  type: 'reasoning'
  text: string
  providerOptions?: ProviderOptions
}

/** Reasoning that is a file. */
interface ReasoningFilePart {
  type: 'reasoning-file'
  data: unknown
  mediaType: string
  providerOptions?: ProviderOptions
}

/** A provider's own block, such as a server-side compaction. */
export interface CustomPart {
  type: 'custom'
  kind: `${string}.${string}`
  providerOptions?: ProviderOptions
}

/** A call of a tool, with its input decoded. */
export interface ToolCallPart {
  type: 'tool-call'
  toolCallId: string
  toolName: string
  input: unknown
  /** The provider ran it: its result may be in the same assistant message. */
  providerExecuted?: boolean
  providerOptions?: ProviderOptions
}

export interface ToolResultPart {
  type: 'tool-result'
  toolCallId: string
  toolName: string
  output: ToolOutput
  providerOptions?: ProviderOptions
}

/** The output of a tool: text, JSON, an error as text or JSON, a denial, or content with media. */
export type ToolOutput =
  | { type: 'text'; value: string; providerOptions?: ProviderOptions }
  | { type: 'json'; value: unknown; providerOptions?: ProviderOptions }
  | { type: 'error-text'; value: string; providerOptions?: ProviderOptions }
  | { type: 'error-json'; value: unknown; providerOptions?: ProviderOptions }
  | { type: 'execution-denied'; reason?: string; providerOptions?: ProviderOptions }
  | { type: 'content'; value: ToolOutputPart[]; providerOptions?: ProviderOptions }

/** `text`, or one of the SDK's media kinds: `file`, `media`, `image-data`, … */
export interface ToolOutputPart {
  type: string
  text?: string
  data?: unknown
  mediaType?: string
  filename?: string
  [field: string]: unknown
}

/** A question whether a call may run. */
export interface ToolApprovalRequest {
  type: 'tool-approval-request'
  approvalId: string
  toolCallId: string
  providerOptions?: ProviderOptions
}

/** The answer to such a question. */
export interface ToolApprovalResponse {
  type: 'tool-approval-response'
  approvalId: string
  approved: boolean
  reason?: string
}

/** The parts of a message; a string content counts as one text part. */
export function partsOf(message: Message): readonly Part[] {
  return typeof message.content === 'string'
    ? message.content === ''
      ? []
      : [{ type: 'text', text: message.content }]
    : message.content
}

/** The text of a part, as a reader would see it; '' for media. */
export function partText(part: Part): string {
  if (part.type === 'text' || part.type === 'reasoning') return part.text
  return part.type === 'tool-result' ? outputText(part.output) : ''
}

/** The text of a tool's output. */
export function outputText(output: ToolOutput): string {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return output.value
    case 'json':
    case 'error-json':
      return JSON.stringify(output.value) ?? ''
    case 'execution-denied':
      return output.reason ?? 'The call was denied.'
    case 'content':
      return output.value.map((part) => part.text ?? '').join('\n')
  }
}

/** All text of a message, one part per line. */
export function messageText(message: Message): string {
  return partsOf(message)
    .map(partText)
    .filter((text) => text !== '')
    .join('\n')
}

/** What an assistant message says to the human: its text, without reasoning and calls. */
export function assistantText(message: Message): string {
  return textsOf(message).join('\n')
}

export function textsOf({ content }: Message): string[] {
  if (typeof content === 'string') return content === '' ? [] : [content]
  const texts: string[] = []
  for (const part of content) if (part.type === 'text') texts.push(part.text)
  return texts
}
