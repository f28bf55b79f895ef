import { fieldsOf, nameOf, timeOf, type Fields } from '../../json/fields.ts'
import { addResult, closeResults, giveEntries, giveReply } from '../conversation/conversation.ts'
import { userMessages, type OriginPart } from '../conversation/user-messages.ts'
import { partsOf } from './parts.ts'
import { replyOf, usageOf } from './reply.ts'
import { omit, type State } from './state.ts'
import { outputOf } from './tool-output.ts'
import { isCommand, userParts } from './user-parts.ts'
import type { Metadata } from '../../log/entry.ts'
import type { UserPart } from '../../log/message.ts'

export interface GiveOptions {
  /** What the model said with these calls, in a message before. */
  said?: Fields | undefined
  /** The view was written anew: it stood there before. */
  restored?: true
}

/** Gives a message that will not be written again, and notes where it stands. */
export function giveMessage(state: State, message: Fields, options: GiveOptions = {}): void {
  const { said, restored } = options
  const ids = [said?.['id'], message['id']].flatMap((id) => nameOf(id) ?? [])
  state.at = timeOf(message['timestamp']) ?? state.at
  const metadata = {
    ...(ids.length > 0 && { source: { records: ids } }),
    ...(restored && { restored }),
  }
  const first = state.drafts.given + 1
  if (message['type'] === 'gemini') giveModel(state, said ? [said, message] : [message], metadata)
  else giveUser(state, message, metadata)
  closeResults(state.conversation)
  const span = { first, last: state.drafts.given }
  for (const id of ids) {
    state.given.set(id, span)
    state.order.push(id)
  }
}

function giveModel(state: State, messages: readonly Fields[], metadata: Metadata): void {
  const replies = messages.map(replyOf)
  const parts = replies.flatMap((reply) => reply.parts)
  const model = messages.map((message) => nameOf(message['model'])).find(Boolean)
  const usage = messages.map((message) => usageOf(message['tokens'])).find(Boolean)
  if (model) state.facts.model = model
  const { at, conversation } = state
  if (!giveReply(conversation, { at, parts, model, usage, metadata })) {
    return omit(state, 'unfinished')
  }
  for (const { results } of replies) {
    for (const result of results) addResult(conversation, { at, ...result })
  }
}

/** Newer versions write results a second time, in the user's place. */
function giveUser(state: State, message: Fields, metadata: Metadata): void {
  const { content } = message
  for (const part of partsOf(content)) {
    const response = fieldsOf(part['functionResponse'])
    const toolCallId = nameOf(response?.['id'])
    if (!toolCallId || state.results.has(toolCallId)) continue
    const toolName = nameOf(response?.['name'])
    const output = outputOf([part], false)
    addResult(state.conversation, { at: state.at, toolCallId, toolName, output })
  }
  if (isCommand(content)) return omit(state, 'command')
  const parts = userParts(content)
  const said = isOwnHarness(message) ? parts.map(({ part }) => ofHarness(part)) : parts
  giveEntries(state.conversation, userMessages(said, state.at, metadata))
}

/** Gemini CLI has no mark for what the harness says in the user's place: we have one of ours. */
function isOwnHarness(message: Fields): boolean {
  return fieldsOf(message['throughline'])?.['origin'] === 'harness'
}

function ofHarness(part: UserPart): OriginPart {
  return { origin: 'harness', part }
}
