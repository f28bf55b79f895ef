import type { Place } from './checkpoint.ts'
import { abortedResult } from '../../log/open-calls.ts'
import { closeReply, spanUnit, startUnit } from '../conversation/tree-session.ts'
import { fieldsOf, nameOf, objectsOf, textOf, type Fields } from '../../json/fields.ts'
import { give } from '../reading/grown-log.ts'
import { ref } from '../../log/ref.ts'
import type { Replacement, Seq } from '../../log/entry.ts'
import type { State } from './checkpoint.ts'

/**
 * An entry that changes what the model sees of an earlier one: without a replacement it sees
 * nothing of it any more, as if it had never been said; with one it sees other words.
 */
export function editContext(state: State, record: Fields): void {
  closeReply(state)
  const places = state.places.get(nameOf(record['targetId']) ?? '') ?? []
  const content = fieldsOf(record['replacement'])?.['content']
  if (content === undefined) leaveOut(state, places)
  else replace(state, places, wordsOf(content))
  // Its span stays empty, and the view is another one from here on.
  spanUnit(state.tree, startUnit(state.tree), state.drafts.given + 1, state.drafts.given)
}

const leftOut = '[What stood here was taken out of the session.]'

function leaveOut(state: State, places: readonly Place[]): void {
  const [first] = places
  const last = places.at(-1)
  if (!first || !last) return
  // What a compaction keeps it names, and one of several results cannot go without its call.
  if (first.seq < state.compacted || !first.alone) {
    return replace(state, places, first.result ? abortedResult : leftOut)
  }
  const to = first.seq - 1
  give(state.drafts, { kind: 'rewind', at: state.at, to, resume: resumeBehind(state, last) })
}

/** The results of a reply that goes go with it. */
function resumeBehind({ drafts, resultsOf }: State, { seq }: Place): Seq {
  const resume = (resultsOf.get(seq) ?? seq) + 1
  return Math.min(resume, drafts.given + 1)
}

function replace(state: State, places: readonly Place[], words: string): void {
  const { drafts, at } = state
  const replacements = places.flatMap((place) => replacementsAt(place, words))
  if (replacements.length === 0) return
  give(drafts, { kind: 'prune', at, base: drafts.given, replacements, metadata: {} })
}

/** The words stand in the place of the first part that holds any; calls stay, for their results do. */
function replacementsAt({ seq, parts }: Place, words: string): Replacement[] {
  return parts.map((part, index) => ({
    how: 'described',
    ref: ref(seq, part),
    text: index === 0 ? words : leftOut,
  }))
}

function wordsOf(content: unknown): string {
  if (typeof content === 'string') return content
  const texts = objectsOf(content).flatMap((block) => textOf(block['text']) ?? [])
  return texts.length > 0 ? texts.join('\n') : leftOut
}
