import type { FinishReason, Usage } from '../../log/entry.ts'
import type { AssistantPart, ToolOutput } from '../../log/message.ts'
import type { OriginPart } from '../conversation/user-messages.ts'

/** What an event of any version of OpenHands comes down to. */
export type Event =
  | { type: 'system'; text: string }
  /** What stands in the user's place. */
  | { type: 'said'; parts: OriginPart[] }
  | ReplyEvent
  | ResultEvent
  | { type: 'condensation'; summary: string | undefined; forgets: (id: EventId) => boolean }
  /** Between these two another agent works, of whose events the model sees nothing. */
  | { type: 'delegation'; reply: ReplyEvent | undefined }
  | { type: 'delegation-end'; result: Event | undefined }
  /** For the user's page alone. */
  | { type: 'unseen' }

/** Numbers before version 1, texts since. */
export type EventId = number | string

export interface ResultEvent {
  type: 'result'
  toolCallId: string
  toolName: string | undefined
  output: ToolOutput
  /** What it is if the model made no such call. */
  otherwise?: Event
}

export interface ReplyEvent {
  type: 'reply'
  /** The model's response: several events may come of one. */
  response: string | undefined
  parts: AssistantPart[]
  /** Whether the parts are all that the response made, so that its other events add none. */
  whole: boolean
  model: string | undefined
  usage: Usage | undefined
  finish?: FinishReason
}
