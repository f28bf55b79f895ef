import { omit } from '../omitted.ts'
import { someRecord } from '../reading/some-record.ts'
import { recordReader, type RecordState } from '../conversation/session-state.ts'
import { fieldsOf, objectsOf, listOf, type Fields, nameOf, textOf } from '../../json/fields.ts'
import type { Format, FormatReader, SessionFacts } from '../format.ts'
import { newConversation } from '../conversation/conversation.ts'
import { draftQueue, give, type DraftQueue } from '../reading/grown-log.ts'
import { ref } from '../../log/ref.ts'
import { historyReader } from './history-reader.ts'
import type { EntryDraft, Ref, Replacement } from '../../log/entry.ts'
import { onlyText } from '../openai-chat/text-calls.ts'

interface State extends RecordState {
  read: boolean
}

/** A new reader for one run. */
function sweAgentReader(): FormatReader {
  const state: State = { drafts: draftQueue(), facts: {}, omitted: {}, read: false }
  return recordReader(state, readRun, () => {})
}

/** A file holds one run; any other runs in it are separate sessions. */
function readRun(state: State, record: Fields): void {
  const history = historyOf(record)
  if (!history) return
  if (state.read) return omit(state, 'other-session')
  state.read = true
  const { drafts, facts } = state
  Object.assign(facts, factsOf(record))
  /** Where the output at a position of the history stands. */
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
  history.forEach((value, index) => {
    const message = fieldsOf(value)
    if (message) reader.read(message, index)
  })
  reader.end()
  if (system.length > 0) facts.system = system.join('\n\n')
  giveElided(drafts, elidedOutputs(record, history, results))
}

function giveDraft(drafts: DraftQueue, results: Map<string, Ref>, draft: EntryDraft): void {
  const seq = give(drafts, draft)
  if (draft.kind !== 'message' || draft.origin !== 'tool') return
  const source = fieldsOf(draft.metadata?.['source'])
  listOf(source?.['records']).forEach((position, part) =>
    results.set(String(position), ref(seq, part)),
  )
}

function giveElided(drafts: DraftQueue, replacements: Replacement[]): void {
  if (replacements.length === 0) return
  const metadata = { time: { compacted: 0 } }
  give(drafts, { kind: 'prune', at: 0, base: drafts.given, replacements, metadata })
}

/**
 * The outputs that SWE-agent itself omitted from its last request, and the text that it put in
 * in their place. `results` tells where the output at a position of the history stands.
 */
function elidedOutputs(
  record: Fields,
  history: readonly unknown[],
  results: ReadonlyMap<string, Ref>,
): Replacement[] {
  const step = fieldsOf(listOf(record['trajectory']).at(-1))
  const request = objectsOf(step?.['query'] ?? step?.['messages'])
  return request.flatMap((message, index) => {
    const ref = results.get(String(index))
    const original = fieldsOf(history[index])
    if (!ref || !original || original['role'] !== message['role']) return []
    const text = onlyText(message) ?? ''
    const elided = signs.some((sign) => text.includes(sign)) && text !== onlyText(original)
    return elided ? [{ how: 'pruned', ref, text }] : []
  })
}

const signs = ['Old environment output: (', 'Outdated window with ']

/** Trajectories of SWE-agent and mini-swe-agent: one JSON document per run. */
export const sweAgent: Format = {
  name: 'swe-agent',
  place: 'trajectories/…/<instance>.traj, or <instance>.traj.json of mini-swe-agent',
  recognises: someRecord((record) =>
    objectsOf(historyOf(record)).some(({ role }) => typeof role === 'string'),
  ),
  reader: sweAgentReader,
}

/** The messages of a run; `undefined` if the record isn't a run. */
function historyOf(record: Fields): readonly unknown[] | undefined {
  if (isMini(record)) return listOf(record['messages'])
  if (Array.isArray(record['history']) && Array.isArray(record['trajectory'])) {
    return record['history']
  }
  // If every attempt was rejected, none of them is listed with the others.
  const attempt = fieldsOf(listOf(record['attempts']).at(-1))
  return attempt && Array.isArray(attempt['trajectory']) ? listOf(attempt['history']) : undefined
}

function isMini(record: Fields): boolean {
  return (
    Array.isArray(record['messages']) &&
    (nameOf(record['trajectory_format'])?.startsWith('mini-swe-agent') === true ||
      typeof fieldsOf(record['info'])?.['mini_version'] === 'string')
  )
}

/** A run's own metadata. */
function factsOf(record: Fields): SessionFacts {
  const config = fieldsOf(fieldsOf(record['info'])?.['config'])
  const replay = fieldsOf(inText(record['replay_config']))
  const agent = fieldsOf(replay?.['agent'])
  const first = fieldsOf(listOf(record['trajectory'])[0])
  const state = fieldsOf(inText(first?.['state']))
  const named =
    nameOf(fieldsOf(agent?.['model'])?.['name']) ??
    nameOf(fieldsOf(config?.['model'])?.['model_name'])
  const model = named !== undefined && noModels.has(named) ? undefined : named
  const directory =
    nameOf(state?.['working_dir']) ?? nameOf(fieldsOf(config?.['environment'])?.['cwd'])
  const id = nameOf(record['instance_id'])
  return { ...(id && { id }), ...(model && { model }), ...(directory && { directory }) }
}

/** The names under which SWE-agent runs without a model. */
const noModels: ReadonlySet<string> = new Set([
  'replay',
  'human',
  'human_thought',
  'instant_empty_submit',
])

/** Some versions write objects as JSON text. */
function inText(value: unknown): unknown {
  const text = textOf(value)
  if (text === undefined) return value
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
