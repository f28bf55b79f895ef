import {
  countOmitted,
  factsWith,
  isUnclear,
  newTold,
  noteUnread,
  takeUnread,
  type Told,
} from './conversation/session-state.ts'
import {
  draftQueue,
  takeReady,
  addConversation,
  addDraft,
  newGrownLog,
  type GrownLog,
} from './reading/grown-log.ts'
import { fieldsOf, type Fields } from '../json/fields.ts'
import { messageReader, type ApiMessages, type MessageReader } from './api-messages.ts'
import { newConversation } from './conversation/conversation.ts'
import { recognizeOwn } from '../ledger/recognize-own.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { AnswerDetails } from './api-messages.ts'
import type { FormatReader, SessionFacts } from './format.ts'
import type { EntryDraft } from '../log/entry.ts'

/** A request with its messages, its answer, or both. */
export interface ApiDocument {
  system: string
  messages: readonly Fields[]
  answer: readonly Fields[]
  details: AnswerDetails
  facts: SessionFacts
  /** Whether it repeats the conversation from the start, as every request does. */
  whole: boolean
}

/** How files hold what goes over a wire: messages, or documents around them. */
export interface ApiFormat<Native> extends ApiMessages<Native> {
  /** The document in a record; `undefined` if it is a single message. */
  documentOf: (record: Fields) => ApiDocument | undefined
}

/** Nothing is known about the request that a message answered. */
const unanswered: AnswerDetails = {}

interface State extends Told {
  log: GrownLog
  system: string[]
  ledger: Ledger | undefined
}

/** A new reader for messages of an API: one per record, or whole requests with their answers. */
export function apiReader<Native>(format: ApiFormat<Native>, ledger?: Ledger): FormatReader {
  const drafts = draftQueue()
  const state: State = { ...newTold(), log: newGrownLog(drafts), system: [], ledger }
  const lines = linesOf(format, state)
  return {
    push(value) {
      const record = fieldsOf(value)
      const document = record && format.documentOf(record)
      if (document) {
        lines.end()
        readDocument(format, state, document)
      } else if (record) lines.read(record, unanswered)
      return takeReady(drafts)
    },
    end() {
      lines.end()
      return takeReady(drafts)
    },
    unread: () => takeUnread(state),
    facts: () => ({
      ...factsWith(state),
      ...(state.system.length > 0 && { system: state.system.join('\n\n') }),
    }),
  }
}

/** The messages that are records themselves. */
function linesOf<Native>(format: ApiFormat<Native>, state: State): MessageReader {
  const known = recognizeOwn(state.ledger)
  return messageReader(format, {
    conversation: newConversation((said) => {
      const draft = known(said)
      addDraft(state.log, draft)
      noteModel(state, [draft])
    }),
    addSystem: (text) => {
      if (text !== '') state.system.push(text)
    },
    omit: (reason, left) => leaveOut(state, reason, left),
  })
}

function readDocument<Native>(
  format: ApiFormat<Native>,
  state: State,
  document: ApiDocument,
): void {
  const { messages, answer, details } = document
  const drafts: EntryDraft[] = []
  const system = [document.system]
  const omitted: [reason: string, left: unknown][] = []
  const known = recognizeOwn(state.ledger)
  const reader = messageReader(format, {
    conversation: newConversation((draft) => drafts.push(known(draft))),
    addSystem: (text) => system.push(text),
    omit: (reason, left) => omitted.push([reason, left]),
  })
  for (const message of messages) reader.read(message, unanswered)
  for (const message of answer) reader.read(message, details)
  reader.end()
  if (!document.whole) for (const draft of drafts) addDraft(state.log, draft)
  else if (!addConversation(state.log, drafts, details.at ?? 0)) {
    return countOmitted(state, 'other-conversation')
  }
  for (const [reason, left] of omitted) leaveOut(state, reason, left)
  const said = system.filter((text) => text !== '')
  if (said.length > 0) state.system = said
  noteModel(state, drafts)
  Object.assign(state.facts, document.facts)
}

function leaveOut(state: State, reason: string, left: unknown): void {
  countOmitted(state, reason)
  if (isUnclear(reason)) noteUnread(state, left, 'a message')
}

function noteModel({ facts }: State, drafts: readonly EntryDraft[]): void {
  for (const draft of drafts) {
    if (draft.kind === 'message' && draft.model) facts.model = draft.model
  }
}
