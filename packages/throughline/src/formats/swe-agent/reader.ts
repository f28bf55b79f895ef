import { newConversation } from '../conversation/conversation.ts'
import { draftQueue, give, takeReady, type DraftQueue } from '../reading/draft-queue.ts'
import { fieldsOf, listOf, type Fields } from '../../json/fields.ts'
import { ref } from '../../log/ref.ts'
import { elidedOutputs } from './elided.ts'
import { historyReader } from './history-reader.ts'
import { factsOf, historyOf } from './history.ts'
import type { FormatReader, SessionFacts } from '../format.ts'
import type { EntryDraft, Ref, Replacement } from '../../log/entry.ts'

interface State {
  drafts: DraftQueue
  facts: SessionFacts
  omitted: Record<string, number>
  read: boolean
}

/** A fresh reader for one run. */
export function sweAgentReader(): FormatReader {
  const state: State = { drafts: draftQueue(), facts: {}, omitted: {}, read: false }
  return {
    push(value) {
      const record = fieldsOf(value)
      const history = record && historyOf(record)
      if (record && history) readRun(state, record, history)
      return takeReady(state.drafts)
    },
    end: () => takeReady(state.drafts),
    facts: () => ({
      ...state.facts,
      ...(Object.keys(state.omitted).length > 0 && { omitted: { ...state.omitted } }),
    }),
  }
}

/** A file holds one run; others in it are sessions of their own. */
function readRun(state: State, record: Fields, history: readonly unknown[]): void {
  if (state.read) return omit(state, 'other-session')
  state.read = true
  const { drafts, facts } = state
  Object.assign(facts, factsOf(record))
  /** Where the output at a place of the history stands. */
  const results = new Map<string, Ref>()
  const system: string[] = []
  const reader = historyReader(
    {
      conversation: newConversation((draft) => giveDraft(drafts, results, draft)),
      addSystem: (text) => system.push(text),
      omit: (reason) => omit(state, reason),
    },
    facts.model,
  )
  history.forEach((value, place) => {
    const message = fieldsOf(value)
    if (message) reader.read(message, place)
  })
  reader.end()
  if (system.length > 0) facts.system = system.join('\n\n')
  giveElided(drafts, elidedOutputs(record, history, results))
}

function giveDraft(drafts: DraftQueue, results: Map<string, Ref>, draft: EntryDraft): void {
  const seq = give(drafts, draft)
  if (draft.kind !== 'message' || draft.origin !== 'tool') return
  const source = fieldsOf(draft.metadata?.['source'])
  listOf(source?.['records']).forEach((place, part) => results.set(String(place), ref(seq, part)))
}

function giveElided(drafts: DraftQueue, replacements: Replacement[]): void {
  if (replacements.length === 0) return
  const metadata = { time: { compacted: 0 } }
  give(drafts, { kind: 'prune', at: 0, base: drafts.given, replacements, metadata })
}

function omit({ omitted }: State, reason: string): void {
  omitted[reason] = (omitted[reason] ?? 0) + 1
}
