import { closeResults, newConversation, type Conversation } from './conversation.ts'
import { draftQueue, give, takeReady, type DraftQueue } from '../reading/grown-log.ts'
import { factsWith, type Told } from '../omitted.ts'
import { fieldsOf, type Fields } from '../../json/fields.ts'
import type { EntryDraft, Seq } from '../../log/entry.ts'
import type { FormatReader } from '../format.ts'

/** What a reader of any format keeps: its finished drafts, and what it knows of the session. */
export interface RecordState extends Told {
  drafts: DraftQueue
}

/** What a reader keeps whose session is read message by message. */
export interface SessionState extends RecordState {
  conversation: Conversation
  /** The time of the newest record that had one. */
  at: number
}

/** The state before the first record. `note` gets each draft of the conversation with its seq. */
export function newSessionState(note?: (seq: Seq, draft: EntryDraft) => void): SessionState {
  const drafts = draftQueue()
  const conversation = newConversation((draft) => {
    const seq = give(drafts, draft)
    note?.(seq, draft)
  })
  return { drafts, conversation, facts: {}, omitted: {}, at: 0 }
}

/** A reader made of two functions: one reads a record, one adds what is left after the last. */
export function recordReader<State extends RecordState>(
  state: State,
  read: (state: State, record: Fields) => void,
  finish: (state: State) => void,
): FormatReader {
  return {
    push(value) {
      const record = fieldsOf(value)
      if (record) read(state, record)
      return takeReady(state.drafts)
    },
    end() {
      finish(state)
      return takeReady(state.drafts)
    },
    facts: () => factsWith(state),
  }
}

/** A reader of a session that is one conversation: its last results are what is left. */
export function sessionReader<State extends SessionState>(
  state: State,
  read: (state: State, record: Fields) => void,
): FormatReader {
  return recordReader(state, read, ({ conversation }) => closeResults(conversation))
}
