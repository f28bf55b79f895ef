import { closeResults, giveEntries, type Conversation } from './conversation.ts'
import type { MessageDraft } from '../../log/entry.ts'

/** What the harness says while calls are open: it stands behind their results. */
export interface Asides {
  conversation: Conversation
  held: MessageDraft[]
}

const mostHeld = 256

export function newAsides(conversation: Conversation): Asides {
  return { conversation, held: [] }
}

/** Whether this waits for the results of open calls; the human waits for nothing. */
function waits({ conversation, held }: Asides, drafts: readonly MessageDraft[]): boolean {
  const harness = drafts.every(({ origin }) => origin === 'harness')
  return harness && conversation.open.size > 0 && held.length < mostHeld
}

/** Holds back what the harness says while calls are open; says no, and does nothing, else. */
export function holds(asides: Asides, drafts: readonly MessageDraft[]): boolean {
  if (!waits(asides, drafts)) return false
  for (const draft of drafts) asides.held.push(draft)
  return true
}

/** Gives what stands in the user's role: no more results are awaited. */
export function giveUsers(asides: Asides, drafts: readonly MessageDraft[]): void {
  settle(asides)
  asides.conversation.open.clear()
  giveEntries(asides.conversation, drafts)
}

/** Gives the results so far and what waited for them. */
export function settle({ conversation, held }: Asides): void {
  closeResults(conversation)
  if (held.length > 0) giveEntries(conversation, held.splice(0))
}
