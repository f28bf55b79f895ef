import { fieldsOf, listOf, nameOf, type Fields } from '../../json/fields.ts'
import { closeResults } from '../conversation/conversation.ts'
import { give, takeReady } from '../reading/draft-queue.ts'
import { giveMessage } from './give-message.ts'
import { replaceHistory } from './replaced-history.ts'
import { contentText } from './parts.ts'
import { newState, omit, type State } from './state.ts'
import type { FormatReader } from '../format.ts'

/** A fresh reader for one session, whether its file is one document or JSON Lines. */
export function geminiCliReader(): FormatReader {
  const state = newState()
  return {
    push(value) {
      const record = fieldsOf(value)
      if (record) readRecord(state, record)
      return takeReady(state.drafts)
    },
    end() {
      givePending(state)
      return takeReady(state.drafts)
    },
    facts: () => ({
      ...state.facts,
      ...(Object.keys(state.omitted).length > 0 && { omitted: { ...state.omitted } }),
    }),
  }
}

function readRecord(state: State, record: Fields): void {
  const back = record['$rewindTo']
  if (typeof back === 'string') return rewindTo(state, back)
  if (typeof record['id'] === 'string') return readMessage(state, record)
  const changed = fieldsOf(record['$set'])
  if (!changed) return readSession(state, record)
  readFacts(state, changed)
  if (listOf(changed['messages']).length === 0) return
  givePending(state)
  if (state.order.length > 0) replaceHistory(state, listOf(changed['messages']))
  else readMessages(state, listOf(changed['messages']))
}

function readSession(state: State, record: Fields): void {
  readFacts(state, record)
  if (Array.isArray(record['messages'])) readMessages(state, record['messages'])
}

function readFacts(state: State, record: Fields): void {
  const id = nameOf(record['sessionId'])
  const directory = nameOf(listOf(record['directories'])[0])
  if (id) state.facts.id = id
  if (directory) state.facts.directory ??= directory
}

function readMessages(state: State, messages: readonly unknown[]): void {
  for (const value of messages) {
    const message = fieldsOf(value)
    if (message) readMessage(state, message)
    else omit(state, 'damaged')
  }
}

/** A message that is written again takes the place of what it said before. */
function readMessage(state: State, message: Fields): void {
  const { type } = message
  if (type !== 'user' && type !== 'gemini') {
    if (notices.has(type)) omit(state, 'client-message')
    return
  }
  const id = nameOf(message['id'])
  if (id === undefined || state.pending?.['id'] !== id) {
    if (state.pending && !state.said && areCallsOf(state.pending, message)) {
      state.said = state.pending
    } else givePending(state)
  }
  if (id !== undefined && state.given.has(id)) return omit(state, 'duplicate')
  state.pending = message
}

const notices: ReadonlySet<unknown> = new Set(['info', 'error', 'warning'])

/** Some versions write the calls of a reply that says something as a message of their own. */
function areCallsOf(reply: Fields, message: Fields): boolean {
  if (reply['type'] !== 'gemini' || message['type'] !== 'gemini') return false
  return (
    !reply['toolCalls'] &&
    Array.isArray(message['toolCalls']) &&
    !message['tokens'] &&
    contentText(message['content']) === ''
  )
}

function givePending(state: State): void {
  const { said, pending } = state
  state.said = undefined
  state.pending = undefined
  if (pending) giveMessage(state, pending, { said })
}

/** The human went back to before a message; to the beginning, if it is not known. */
function rewindTo(state: State, id: string): void {
  givePending(state)
  closeResults(state.conversation)
  const first = state.given.get(id)?.first ?? 1
  const newest = state.order.length
  for (let last = state.order.at(-1); last !== undefined; last = state.order.at(-1)) {
    if ((state.given.get(last)?.first ?? 0) < first) break
    state.order.pop()
    state.given.delete(last)
  }
  if (state.order.length === newest) return
  give(state.drafts, { kind: 'rewind', at: state.at, to: first - 1 })
}
