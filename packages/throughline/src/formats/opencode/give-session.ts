import { fieldsOf, nameOf, objectsOf, timeOf, type Fields } from '../../json/fields.ts'
import { giveEntries } from '../conversation/conversation.ts'
import { userMessages } from '../conversation/user-messages.ts'
import { compactionPart, viewChanges, type ViewChanges } from './view-changes.ts'
import { giveCheckpoint } from './checkpoint.ts'
import { givePrune } from './prune.ts'
import { giveReplies } from './replies.ts'
import { giveDraft, type State } from './state.ts'
import { userParts } from './user-parts.ts'
import { wordsOf } from './continuation.ts'

/** What opencode shows the model in place of a compaction that has no summary. */
const emptyMarker = 'What did we do so far?'

/** Gives all messages that were pushed, and the changes of the view where they happened. */
export function giveSession(state: State): void {
  const { messages } = state
  const changes = viewChanges(messages)
  state.messages = []
  /** The message that a compaction took as its continuation. */
  let taken: Fields | undefined
  messages.forEach((message, index) => {
    givePrune(state, changes.clearedBefore.get(index))
    const info = fieldsOf(message['info']) ?? {}
    const id = nameOf(info['id'])
    state.at = timeOf(fieldsOf(info['time'])?.['created']) ?? state.at
    if (id) state.firstOf.set(id, state.drafts.given + 1)
    if (message === taken) return
    if (info['role'] === 'user') return giveUser(state, message, changes)
    if (info['role'] !== 'assistant') return
    const marker = nameOf(info['parentID']) ?? ''
    if (changes.summaryOf.get(marker) !== message) {
      return giveReplies(state, message, index === messages.length - 1)
    }
    taken = giveCheckpoint(state, message, messages[index + 1])
  })
  givePrune(state, changes.clearedBefore.get(messages.length))
  giveRevert(state)
}

function giveUser(state: State, message: Fields, changes: ViewChanges): void {
  const id = nameOf(fieldsOf(message['info'])?.['id'])
  const marker = compactionPart(message)
  const parts = objectsOf(message['parts']).flatMap(userParts)
  const done = marker !== undefined && id !== undefined && changes.summaryOf.has(id)
  if (marker && !done) parts.push({ origin: 'harness', part: { type: 'text', text: emptyMarker } })
  const drafts = userMessages(parts, state.at, id ? { source: { records: [id] } } : undefined)
  const before = state.drafts.given
  giveEntries(state.conversation, drafts)
  const human = drafts.findLastIndex(({ origin }) => origin === 'human')
  if (human >= 0) state.asked = { seq: before + human + 1, words: wordsOf(parts) }
  if (!done) return
  const { asked } = state
  state.markers.set(id, { part: marker, base: state.drafts.given, asked })
}

/** The human went back, and has said nothing since. */
function giveRevert(state: State): void {
  const first = state.firstOf.get(state.revertedFrom ?? '')
  state.revertedFrom = undefined
  if (first === undefined || first > state.drafts.given) return
  giveDraft(state, { kind: 'rewind', at: state.at, to: first - 1 })
}
