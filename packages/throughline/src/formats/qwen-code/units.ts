import type { AssistantPart } from '../../log/message.ts'
import type { OriginPart } from '../conversation/user-messages.ts'
import { newTreeState, type TreeState } from '../conversation/tree-session.ts'

/** Records what the human or the harness said, in the newest unit. */
export function noteUser({ units, tree }: State, parts: readonly OriginPart[]): void {
  for (const { part } of parts) {
    if (part.type === 'text') units.set(userKey(part.text), tree.newest)
  }
}

/** Records what the model said, and its calls. */
export function noteReply({ units }: State, parts: readonly AssistantPart[], unit: number): void {
  for (const key of replyKeys(parts)) units.set(key, unit)
}

/** The unit in which this text, taken apart, stands in the user's role. */
export function unitOfUser({ units }: State, parts: readonly OriginPart[]): number | undefined {
  const found = parts.map(({ part }) =>
    part.type === 'text' ? units.get(userKey(part.text)) : undefined,
  )
  return found.find((unit) => unit !== undefined)
}

/** The unit that contains this reply. */
export function unitOfReply({ units }: State, parts: readonly AssistantPart[]): number | undefined {
  const [key] = replyKeys(parts)
  return key === undefined ? undefined : units.get(key)
}

/** The unit of the reply that made a call. */
export function unitOfCall({ units }: State, id: string): number | undefined {
  return units.get(callKey(id))
}

/** Calls are identified by their ids, replies without calls by their text. */
function replyKeys(parts: readonly AssistantPart[]): string[] {
  const calls = parts.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : []))
  if (calls.length > 0) return calls.map(callKey)
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return texts.length > 0 ? [`model ${texts.join('\n')}`] : []
}

function callKey(id: string): string {
  return `call ${id}`
}

function userKey(text: string): string {
  return `user ${text}`
}

/** What is known while a session is read. */
export interface State extends TreeState {
  /**
   * By content: the unit that contains it. A compaction repeats what it keeps, and names no record
   * of it.
   */
  units: Map<string, number>
}

export function newState(): State {
  return { ...newTreeState(), units: new Map() }
}
