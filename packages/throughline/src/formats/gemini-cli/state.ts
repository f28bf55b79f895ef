import { newSessionState, type SessionState } from '../conversation/session-state.ts'
import { outputText } from '../../log/message.ts'
import type { Fields } from '../../json/fields.ts'
import type { EntryDraft, Ref, Replacement, Seq } from '../../log/entry.ts'

/** What is known while a session is read. */
export interface State extends SessionState {
  /** The newest message: it is written again when its calls have results. */
  pending: Fields | undefined
  /** What the model said with the calls of the newest message, if that is a separate message. */
  said: Fields | undefined
  /** By active message: its first and its last entry. */
  given: Map<string, Span>
  /** The active messages, in the order of the view. */
  order: string[]
  results: Map<string, GivenResult>
  /** By entry: the replacements of those of its results that were masked. */
  masked: Map<Seq, Map<Ref, Replacement>>
}

export interface Span {
  first: Seq
  last: Seq
}

/** A result that was added: enough to see whether it was changed, and its position. */
interface GivenResult {
  seq: Seq
  part: number
  length: number
}

export function newState(): State {
  const results: State['results'] = new Map()
  return {
    ...newSessionState((seq, draft) => noteResults(results, seq, draft)),
    pending: undefined,
    said: undefined,
    given: new Map(),
    order: [],
    results,
    masked: new Map(),
  }
}

function noteResults(results: State['results'], seq: Seq, draft: EntryDraft): void {
  if (draft.kind !== 'message' || draft.message.role !== 'tool') return
  draft.message.content.forEach((result, part) => {
    if (result.type !== 'tool-result') return
    const { length } = outputText(result.output)
    results.set(result.toolCallId, { seq, part, length })
  })
}
